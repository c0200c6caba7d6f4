package dev.tilewright.api.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.model.exchange.Protocol;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A client of the service: requests as text, answers as JSON trees. */
public final class Api {

    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final JsonMapper mapper = JsonMapper.builder().build();
    private final String url;
    private final BooleanSupplier driverIsQuiet;

    public Api(String url) {
        this(url, () -> true);
    }

    /** @param driverIsQuiet whether what requests have set in motion has come to rest */
    public Api(String url, BooleanSupplier driverIsQuiet) {
        this.url = url;
        this.driverIsQuiet = driverIsQuiet;
    }

    /** Studies are moved on beside requests: waits until the driver of this service has nothing to do. */
    public void settle() {
        Awaiting.until(driverIsQuiet);
    }

    /** What the service answered. */
    public record Answer(HttpResponse<String> response, JsonMapper mapper) {

        public int status() {
            return response.statusCode();
        }

        public String header(String name) {
            return response.headers().firstValue(name).orElse("");
        }

        public String text() {
            return response.body();
        }

        public JsonNode json() {
            return mapper.readTree(response.body());
        }

        /** The body, after a check of the status. */
        public JsonNode expect(int status) {
            assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
            return response.body().isEmpty() ? mapper.nullNode() : json();
        }

        /** A problem document with this status. */
        public JsonNode problem(int status) {
            assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
            assertThat(header("content-type")).startsWith("application/problem+json");
            JsonNode problem = json();
            assertThat(problem.get("status").asInt()).isEqualTo(status);
            assertThat(problem.get("title").asString()).isNotBlank();
            assertThat(problem.get("detail").asString()).isNotBlank();
            assertThat(problem.get("errors").isArray()).isTrue();
            return problem;
        }
    }

    public JsonMapper mapper() {
        return mapper;
    }

    public URI uri(String path) {
        return URI.create(url + path);
    }

    public HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(uri(path)).timeout(Duration.ofMinutes(2));
    }

    public Answer get(String path) {
        return send(request(path).GET());
    }

    public Answer post(String path, String body, String... headers) {
        HttpRequest.Builder request = request(path)
                .header("content-type", "application/json")
                .POST(HttpRequest.BodyPublishers.ofString(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return send(request);
    }

    /** As a worker, with its token. */
    public Answer work(String path, Object body, String... headers) {
        List<String> all = new ArrayList<>(List.of(
                "authorization",
                "Bearer " + RunningService.WORKER_TOKEN,
                Protocol.HEADER,
                Integer.toString(Protocol.VERSION)));
        all.addAll(List.of(headers));
        return post(path, mapper.writeValueAsString(body), all.toArray(String[]::new));
    }

    public Answer send(HttpRequest.Builder request) {
        try {
            HttpRequest built = request.build();
            Answer answer = new Answer(http.send(built, HttpResponse.BodyHandlers.ofString()), mapper);
            if (!built.method().equals("GET")) {
                settle();
            }
            return answer;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    /** Submits a job of the toy family and returns its id. */
    public String submit(String device, String strategy, int trials, String... shapes) {
        String problems = List.of(shapes).stream()
                .map(shape -> shape.split("x"))
                .map(extents -> "{\"m\":%s,\"n\":%s,\"k\":%s}".formatted((Object[]) extents))
                .collect(java.util.stream.Collectors.joining(","));
        String body = """
                {"problems":[%s],"family":"toy","strategy":"%s","budget":{"trials":%d,"finalists":3},"device":"%s"}""".formatted(problems, strategy, trials, device);
        return post("/api/v1/jobs", body).expect(202).get("id").asString();
    }

    public JsonNode job(String id) {
        return get("/api/v1/jobs/" + id).expect(200);
    }

    public JsonNode result(String id) {
        return get("/api/v1/jobs/" + id + "/result").expect(200);
    }

    /** Messages of a problem, as {@code pointer: detail}. */
    public static List<String> errors(JsonNode problem) {
        return problem.get("errors")
                .valueStream()
                .map(error -> error.get("pointer").asString() + ": "
                        + error.get("detail").asString())
                .toList();
    }
}
