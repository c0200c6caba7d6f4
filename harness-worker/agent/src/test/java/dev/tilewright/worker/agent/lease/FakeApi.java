package dev.tilewright.worker.agent.lease;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.tilewright.model.exchange.Heartbeat;
import dev.tilewright.model.exchange.KernelCheck;
import dev.tilewright.model.exchange.Lease;
import dev.tilewright.model.exchange.LeaseGrant;
import dev.tilewright.model.exchange.LeaseRequest;
import dev.tilewright.model.exchange.Protocol;
import dev.tilewright.model.exchange.Report;
import dev.tilewright.model.exchange.ReportBatch;
import dev.tilewright.model.exchange.TrialResult;
import dev.tilewright.model.exchange.WorkerRegistration;
import dev.tilewright.worker.link.client.ApiClient;
import dev.tilewright.worker.link.client.Trust;
import dev.tilewright.worker.link.json.Json;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.BooleanSupplier;

/** The worker's side of the API, with faults to order. */
final class FakeApi implements AutoCloseable {

    static final String TOKEN = "secret";
    private static final String OWN_TOKEN = "of one worker";

    private static final String CHECKS = "/api/v1/checks/";

    private final HttpServer server;
    private final Deque<Lease> queue = new ArrayDeque<>();
    private final Map<UUID, Report> reports = new HashMap<>();
    private final List<List<UUID>> batches = new ArrayList<>();
    private final List<String> requests = new ArrayList<>();
    private final Map<String, KernelCheck> checks = new HashMap<>();
    private final Set<UUID> workers = new HashSet<>();
    private final Set<UUID> stale = new HashSet<>();
    private final Set<UUID> stopped = new HashSet<>();
    private int faults;
    private int mostReports = ReportBatch.MAX_REPORTS;
    private int largestRequest;
    private int keptAlive;
    private List<UUID> raced = List.of();
    private boolean deaf;
    private int protocol = Protocol.VERSION;

    FakeApi() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", this::handle);
        server.start();
    }

    ApiClient client(String token) {
        return new ApiClient(
                URI.create("http://127.0.0.1:" + server.getAddress().getPort()), token, Trust.ofJava());
    }

    /** The next requests of any kind are answered by 503. */
    synchronized void failNext(int count) {
        faults = count;
    }

    /** As after a new start with an empty memory. */
    synchronized void forgetWorkers() {
        workers.clear();
    }

    synchronized void offer(Lease lease) {
        queue.add(lease);
        notifyAll();
    }

    /** The lease has gone to somebody else: its report will be refused. */
    synchronized void takeAway(UUID lease) {
        stale.add(lease);
    }

    /** The next heartbeat is told to stop this lease. */
    synchronized void stop(UUID lease) {
        stopped.add(lease);
    }

    /** Whether heartbeats are answered by 503. */
    synchronized void beDeaf(boolean deaf) {
        this.deaf = deaf;
    }

    /** As after an upgrade: who speaks another protocol is refused, and nobody is known any more. */
    synchronized void speak(int version) {
        protocol = version;
        workers.clear();
    }

    /** Batches with more reports are refused as a whole. */
    synchronized void takeAtMost(int reports) {
        mostReports = reports;
    }

    /** The leases of each batch that was understood, in the order in which they came. */
    synchronized List<List<UUID>> batches() {
        return List.copyOf(batches);
    }

    synchronized Map<UUID, Report> reports() {
        return Map.copyOf(reports);
    }

    synchronized Map<String, KernelCheck> checks() {
        return Map.copyOf(checks);
    }

    synchronized List<String> requests() {
        return List.copyOf(requests);
    }

    synchronized int largestRequest() {
        return largestRequest;
    }

    /** How many leases the last heartbeat named. */
    synchronized int keptAlive() {
        return keptAlive;
    }

    /** Leases of which the last heartbeat said that their race is over. */
    synchronized List<UUID> raced() {
        return raced;
    }

    /** Waits for something to become true after some request; the test's own time limit ends the waiting. */
    synchronized void await(BooleanSupplier condition) throws InterruptedException {
        while (!condition.getAsBoolean()) {
            wait();
        }
    }

    private synchronized void handle(HttpExchange exchange) throws IOException {
        byte[] body = exchange.getRequestBody().readAllBytes();
        String path = exchange.getRequestURI().getPath();
        requests.add(path);
        try (exchange) {
            if (faults > 0) {
                faults--;
                answer(exchange, 503, problem(503, "the database is away"));
            } else if (!("Bearer " + TOKEN).equals(exchange.getRequestHeaders().getFirst("Authorization"))) {
                answer(exchange, 403, problem(403, "this is not the worker token"));
            } else {
                dispatch(exchange, path, body);
            }
        } finally {
            notifyAll();
        }
    }

    private void dispatch(HttpExchange exchange, String path, byte[] body) throws IOException {
        switch (path) {
            case "/api/v1/workers" -> {
                String spoken = exchange.getRequestHeaders().getFirst(Protocol.HEADER);
                if (!Integer.toString(protocol).equals(spoken)) {
                    answer(exchange, 409, problem(409, "the worker speaks " + spoken + ", this service " + protocol));
                    return;
                }
                workers.add(
                        Json.mapper().readValue(body, WorkerRegistration.class).workerId());
                answer(exchange, 200, new WorkerRegistration.Registered(OWN_TOKEN));
            }
            case "/api/v1/leases" -> {
                LeaseRequest request = Json.mapper().readValue(body, LeaseRequest.class);
                largestRequest = Math.max(largestRequest, request.max());
                if (known(exchange, request.workerId())) {
                    List<Lease> granted = new ArrayList<>();
                    while (granted.size() < request.max() && !queue.isEmpty()) {
                        granted.add(queue.remove());
                    }
                    answer(exchange, 200, new LeaseGrant(granted));
                }
            }
            case "/api/v1/heartbeats" -> {
                Heartbeat heartbeat = Json.mapper().readValue(body, Heartbeat.class);
                if (deaf) {
                    answer(exchange, 503, problem(503, "the database is away"));
                } else if (known(exchange, heartbeat.workerId())) {
                    keptAlive = heartbeat.leases().size();
                    raced = heartbeat.raced();
                    answer(exchange, 200, new Heartbeat.Reply(List.copyOf(stopped)));
                }
            }
            case "/api/v1/reports" -> report(exchange, Json.mapper().readValue(body, ReportBatch.class));
            default -> {
                if (path.startsWith(CHECKS)) {
                    check(exchange, path.substring(CHECKS.length()));
                } else {
                    answer(exchange, 404, problem(404, "there is no " + path));
                }
            }
        }
    }

    private void check(HttpExchange exchange, String text) throws IOException {
        if (checks.containsKey(text)
                && exchange.getRequestURI()
                        .getQuery()
                        .equals("emulator=" + checks.get(text).checked().emulator())) {
            answer(exchange, 200, new KernelCheck.Known(text, List.of(checks.get(text))));
        } else {
            answer(exchange, 404, problem(404, "there is no check of the kernel text " + text));
        }
    }

    private void report(HttpExchange exchange, ReportBatch batch) throws IOException {
        List<ReportBatch.RefusedReport> refused = new ArrayList<>();
        batches.add(
                batch.reports().stream().map(ReportBatch.LeaseReport::leaseId).toList());
        if (batch.reports().size() > mostReports) {
            answer(exchange, 422, problem(422, "/reports: must have from 1 to " + mostReports + " reports"));
            return;
        }
        for (ReportBatch.LeaseReport each : batch.reports()) {
            UUID lease = each.leaseId();
            if (stale.contains(lease)) {
                String detail = "lease " + lease + " has a newer fence";
                refused.add(new ReportBatch.RefusedReport(lease, "about:blank", "lost", 409, detail, List.of()));
            } else {
                reports.put(lease, each.report());
                keepCheck(each.report());
            }
        }
        answer(exchange, 200, new ReportBatch.Receipt(refused));
    }

    private void keepCheck(Report report) {
        if (report instanceof Report.Screened(var _, TrialResult result, var _)
                && result.checked() != null
                && result.compilation() != null) {
            String text = result.compilation().ptxHash();
            checks.putIfAbsent(
                    text, new KernelCheck(text, result.checked().fromCache(), UUID.randomUUID(), Instant.EPOCH));
        }
    }

    private boolean known(HttpExchange exchange, UUID worker) throws IOException {
        if (!OWN_TOKEN.equals(exchange.getRequestHeaders().getFirst(WorkerRegistration.TOKEN_HEADER))) {
            answer(exchange, 401, problem(401, "the worker shows no token of its own"));
            return false;
        }
        if (!workers.contains(worker)) {
            answer(exchange, 404, problem(404, "there is no worker " + worker));
        }
        return workers.contains(worker);
    }

    private static Map<String, Object> problem(int status, String detail) {
        return Map.of("title", "refused", "status", status, "detail", detail, "errors", List.of());
    }

    private static void answer(HttpExchange exchange, int status, Object body) throws IOException {
        byte[] bytes = body == null
                ? new byte[0]
                : Json.mapper().writeValueAsString(body).getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
