package dev.tilewright.worker.link.client;

import dev.tilewright.worker.link.json.Json;
import dev.tilewright.worker.link.json.JsonFault;
import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/**
 * Requests and answers as JSON. An {@link IOException} means that the API is away and that the same request may be sent
 * again; an {@link ApiRefusedException} means that it may not.
 */
public final class ApiClient implements AutoCloseable {

    private static final Duration CONNECT = Duration.ofSeconds(5);
    private static final Duration ANSWER = Duration.ofSeconds(30);
    /**
     * With its body, the largest of which are result documents of some megabytes; no longer than callers are patient.
     */
    private static final Duration WHOLE_ANSWER = Duration.ofSeconds(45);

    private static final int MAX_PROBLEM_BYTES = 1 << 16;

    private final HttpClient http;
    private final JsonMapper json = Json.mapper();
    private final URI base;
    private final @Nullable String token;
    private final Duration wholeAnswer;
    private final Map<String, String> headers;

    /**
     * @param base such as {@code http://127.0.0.1:8080}
     * @param token shown as bearer token with every request; {@code null} for none
     * @param trust whose certificates are believed
     */
    public ApiClient(URI base, @Nullable String token, Trust trust) {
        this(base, token, trust, WHOLE_ANSWER);
    }

    ApiClient(URI base, @Nullable String token, Trust trust, Duration wholeAnswer) {
        this(
                trust.applied(HttpClient.newBuilder())
                        .connectTimeout(CONNECT)
                        .version(HttpClient.Version.HTTP_1_1)
                        .build(),
                base,
                token,
                wholeAnswer,
                Map.of());
    }

    private ApiClient(
            HttpClient http, URI base, @Nullable String token, Duration wholeAnswer, Map<String, String> headers) {
        this.http = http;
        this.base = base;
        this.token = token;
        this.wholeAnswer = wholeAnswer;
        this.headers = headers;
    }

    /** The same client, and closed with it, that sends a header with every request. */
    public ApiClient with(String header, String value) {
        Map<String, String> more = new HashMap<>(headers);
        more.put(header, value);
        return new ApiClient(http, base, token, wholeAnswer, Map.copyOf(more));
    }

    public URI base() {
        return base;
    }

    /**
     * GET.
     *
     * @param path with a leading slash, and the query
     */
    public <T> T get(String path, Class<T> type) throws IOException, ApiRefusedException, InterruptedException {
        return read(send(request(path).GET().build()), type);
    }

    /** GET of a file. */
    public byte[] bytes(String path) throws IOException, ApiRefusedException, InterruptedException {
        return send(request(path).setHeader("Accept", "*/*").GET().build());
    }

    /** GET of a document that comes with any status, as that of health does. */
    public <T> T getAnyhow(String path, Class<T> type) throws IOException, InterruptedException {
        return read(
                exchange(request(path).GET().build(), BodyHandlers.ofByteArray())
                        .body(),
                type);
    }

    /** POST of a body as JSON, with an answer. */
    public <T> T post(String path, Object body, Class<T> type)
            throws IOException, ApiRefusedException, InterruptedException {
        return read(send(posting(path, body)), type);
    }

    /**
     * POST with an {@code Idempotency-Key}: sent twice, it is done once.
     *
     * @param key of the request
     */
    public <T> T post(String path, Object body, UUID key, Class<T> type)
            throws IOException, ApiRefusedException, InterruptedException {
        HttpRequest keyed = HttpRequest.newBuilder(posting(path, body), (name, value) -> true)
                .header("Idempotency-Key", "\"" + key + "\"")
                .build();
        return read(send(keyed), type);
    }

    /** POST of a file, with an answer. */
    public <T> T upload(String path, String mediaType, byte[] file, Class<T> type)
            throws IOException, ApiRefusedException, InterruptedException {
        return read(
                send(request(path)
                        .header("Content-Type", mediaType)
                        .POST(BodyPublishers.ofByteArray(file))
                        .build()),
                type);
    }

    /** POST of a body as JSON, whose answer does not matter. */
    public void post(String path, Object body) throws IOException, ApiRefusedException, InterruptedException {
        send(posting(path, body));
    }

    /** PUT of a body as JSON, with an answer. */
    public <T> T put(String path, Object body, Class<T> type)
            throws IOException, ApiRefusedException, InterruptedException {
        return read(
                send(request(path)
                        .header("Content-Type", "application/json")
                        .PUT(BodyPublishers.ofByteArray(json.writeValueAsBytes(body)))
                        .build()),
                type);
    }

    /** DELETE of what is at a path. */
    public void delete(String path) throws IOException, ApiRefusedException, InterruptedException {
        send(request(path).DELETE().build());
    }

    /**
     * GET of a stream of events.
     *
     * @param lastId id of the last event that is known; {@code null} for all from the first
     */
    public EventReader listen(String path, @Nullable String lastId)
            throws IOException, ApiRefusedException, InterruptedException {
        HttpRequest.Builder listening =
                request(path).setHeader("Accept", "text/event-stream, application/problem+json");
        if (lastId != null) {
            listening.header("Last-Event-ID", lastId);
        }
        HttpRequest request = listening.GET().build();
        HttpResponse<InputStream> response = exchange(request, BodyHandlers.ofInputStream());
        if (response.statusCode() < 300) {
            return new EventReader(response.body());
        }
        try (InputStream body = response.body()) {
            checked(request, response.statusCode(), body.readNBytes(MAX_PROBLEM_BYTES));
        }
        throw new IOException(request.uri() + " answers " + response.statusCode());
    }

    private HttpRequest posting(String path, Object body) {
        return request(path)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofByteArray(json.writeValueAsBytes(body)))
                .build();
    }

    private HttpRequest.Builder request(String path) {
        HttpRequest.Builder builder = HttpRequest.newBuilder(
                        URI.create(base.toString().replaceAll("/+$", "") + path))
                .timeout(ANSWER)
                .header("Accept", "application/json, application/problem+json");
        headers.forEach(builder::header);
        return token == null ? builder : builder.header("Authorization", "Bearer " + token);
    }

    private byte[] send(HttpRequest request) throws IOException, ApiRefusedException, InterruptedException {
        HttpResponse<byte[]> response = exchange(request, BodyHandlers.ofByteArray());
        checked(request, response.statusCode(), response.body());
        return response.body();
    }

    private void checked(HttpRequest request, int status, byte[] body) throws IOException, ApiRefusedException {
        if (status >= 500) {
            throw new IOException(request.uri() + " answers " + status + ": "
                    + problem(request, status, body).lines().getFirst());
        }
        if (status >= 300) {
            throw new ApiRefusedException(status, problem(request, status, body));
        }
    }

    /**
     * The timeout of a request ends with the head of its answer; an answer that then stalls has one of its own. The
     * request has a thread for itself: answers to asynchronous ones wait for the common pool, which may be at work.
     */
    private <T> HttpResponse<T> exchange(HttpRequest request, BodyHandler<T> handler)
            throws IOException, InterruptedException {
        FutureTask<HttpResponse<T>> answer = new FutureTask<>(() -> http.send(request, handler));
        Thread.startVirtualThread(answer);
        try {
            return answer.get(wholeAnswer.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException stalled) {
            throw new IOException("cannot reach " + base + ": its answer has not come to its end in time", stalled);
        } catch (ExecutionException failed) {
            switch (failed.getCause()) {
                case SSLHandshakeException untrusted
                when Unreachable.isUntrusted(untrusted) ->
                    throw new UntrustedException(
                            "cannot trust " + base + ": " + Unreachable.reason(untrusted), untrusted);
                case IOException nobody
                when nobody instanceof ConnectException || nobody instanceof HttpConnectTimeoutException ->
                    throw notReached(nobody);
                case IOException away ->
                    throw new IOException("cannot reach " + base + ": " + Unreachable.reason(away), away);
                case RuntimeException bug -> throw bug;
                case Error bug -> throw bug;
                case null, default ->
                    throw new IOException("cannot reach " + base + ": " + failed.getMessage(), failed);
            }
        } finally {
            answer.cancel(true);
        }
    }

    private NotReachedException notReached(IOException why) {
        return new NotReachedException("cannot reach " + base + ": " + Unreachable.reason(why), why);
    }

    private ProblemDetail problem(HttpRequest request, int status, byte[] body) {
        try {
            ProblemDetail problem = json.readValue(body, ProblemDetail.class);
            if (problem != null) {
                return problem;
            }
        } catch (JacksonException notOne) {
            // Somebody else's words, such as a proxy's; the status is what we can rely on.
        }
        String detail = request.uri() + " answers " + status + " without a problem document";
        return new ProblemDetail(null, status, detail, List.of());
    }

    private <T> T read(byte[] body, Class<T> type) throws IOException {
        try {
            return json.readValue(body, type);
        } catch (JacksonException malformed) {
            throw new IOException(
                    "the API's answer is not a " + type.getSimpleName() + ": " + JsonFault.reason(malformed),
                    malformed);
        }
    }

    @Override
    public void close() {
        http.shutdownNow();
    }
}
