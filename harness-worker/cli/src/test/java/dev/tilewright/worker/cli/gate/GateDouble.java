package dev.tilewright.worker.cli.gate;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.tilewright.bundle.BundleName;
import dev.tilewright.gate.document.CaseResult;
import dev.tilewright.gate.document.DecisionRequest;
import dev.tilewright.gate.document.GateCandidate;
import dev.tilewright.gate.document.GateRequest;
import dev.tilewright.gate.document.GateRun;
import dev.tilewright.gate.document.GateSchedule;
import dev.tilewright.gate.document.GateTrend;
import dev.tilewright.gate.document.WaiverRequest;
import dev.tilewright.launch.bundle.Bundle;
import dev.tilewright.launch.bundle.BundleFiles;
import dev.tilewright.worker.cli.gate.report.GateRuns;
import dev.tilewright.worker.link.json.Json;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Answers as the service does, with a run that was made before. */
final class GateDouble implements AutoCloseable {

    final List<GateRequest> asked = Collections.synchronizedList(new ArrayList<>());
    final List<String> said = Collections.synchronizedList(new ArrayList<>());
    final List<GateCandidate> candidates = new ArrayList<>();
    final List<String> keys = Collections.synchronizedList(new ArrayList<>());
    volatile GateRun answer = GateRuns.ofEverything();
    /** What is answered behind {@code answer}; {@code null} for the same. */
    volatile @Nullable GateRun then;

    volatile boolean goneAfterVerdict;
    volatile @Nullable String refusal;
    volatile boolean running;

    private final HttpServer server;
    private int polls;

    private final String gate;

    GateDouble() throws IOException {
        this("gemm");
    }

    /** @param gate the only one that it knows */
    GateDouble(String gate) throws IOException {
        this.gate = gate;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            try (exchange) {
                answer(exchange);
            } catch (RuntimeException wrong) {
                said.add("double failed: " + wrong);
                throw wrong;
            }
        });
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    private void answer(HttpExchange exchange) throws IOException {
        String line = exchange.getRequestMethod() + " " + exchange.getRequestURI();
        said.add(line);
        byte[] body = exchange.getRequestBody().readAllBytes();
        if (refusal != null && (line.endsWith("/runs") || line.endsWith("/schedule"))) {
            send(exchange, 422, refusal);
        } else if (line.equals("POST /api/v1/bundles")) {
            Bundle bundle = Bundle.read(BundleFiles.unzipped(new ByteArrayInputStream(body)));
            String family = BundleName.of(bundle.name(), bundle.hash()).toString();
            send(
                    exchange,
                    201,
                    Json.mapper()
                            .writeValueAsString(Map.of(
                                    "name",
                                    bundle.name(),
                                    "family",
                                    family,
                                    "hash",
                                    bundle.hash(),
                                    "bytes",
                                    body.length)));
        } else if (line.equals("POST /api/v1/gates/" + gate + "/runs")) {
            asked.add(Json.mapper().readValue(body, GateRequest.class));
            keys.add(String.valueOf(exchange.getRequestHeaders().getFirst("Idempotency-Key")));
            send(exchange, 202, document(GateRun.State.QUEUED));
        } else if (line.startsWith("GET /api/v1/gate-runs/")) {
            polls++;
            boolean over = !running && polls > 2;
            if (goneAfterVerdict && polls > 3) {
                send(exchange, 404, "{\"status\":404,\"detail\":\"there is no such run\"}");
                return;
            }
            GateRun known = then != null && polls > 3 ? then : answer;
            send(exchange, 200, over ? Json.mapper().writeValueAsString(known) : document(GateRun.State.RUNNING));
        } else if (line.endsWith("/cancel")) {
            send(exchange, 200, document(GateRun.State.CANCELLED));
        } else if (line.endsWith("/decisions")) {
            DecisionRequest request = Json.mapper().readValue(body, DecisionRequest.class);
            said.add("decide " + request);
            send(exchange, 200, Json.mapper().writeValueAsString(answer));
        } else if (line.startsWith("GET /api/v1/gates/" + gate + "/candidates?commit=")) {
            send(exchange, 200, Json.mapper().writeValueAsString(new GateCandidate.GateCandidates(candidates)));
        } else if (line.equals("POST /api/v1/gates/gemm/waivers")) {
            WaiverRequest waiver = Json.mapper().readValue(body, WaiverRequest.class);
            said.add("waive " + waiver);
            send(
                    exchange,
                    201,
                    Json.mapper()
                            .writeValueAsString(new CaseResult.Waiver(
                                    GateRuns.ID,
                                    "gemm",
                                    waiver.caseName(),
                                    waiver.cubinHash(),
                                    "ann",
                                    waiver.reason(),
                                    waiver.expiresAt())));
        } else if (line.equals("GET /api/v1/gates/gemm/trend?branch=main&case=nothing")) {
            send(exchange, 200, "{\"gate\":\"gemm\",\"branch\":\"main\",\"series\":[]}");
        } else if (line.startsWith("GET /api/v1/gates/gemm/trend?branch=main")) {
            send(exchange, 200, Json.mapper().writeValueAsString(trend()));
        } else if (line.endsWith("/schedule")) {
            schedule(exchange, body);
        } else {
            send(exchange, 404, "{\"status\":404,\"detail\":\"there is no " + line + "\"}");
        }
    }

    private static GateTrend trend() {
        return new GateTrend(
                "gemm",
                "main",
                List.of(new GateTrend.Series(
                        "ours/square",
                        "NVIDIA H200",
                        List.of(new GateTrend.Point(GateRuns.ID, "89abcdef01234567", GateRuns.START, 1.8, 1.5, 2.1)),
                        List.of(new GateTrend.Change(GateRuns.ID, "89abcdef01234567", 0.1, 1.8, 1e-5)))));
    }

    private void schedule(HttpExchange exchange, byte[] body) throws IOException {
        if (exchange.getRequestMethod().equals("DELETE")) {
            exchange.sendResponseHeaders(204, -1);
            return;
        }
        GateSchedule.ScheduleRequest request = exchange.getRequestMethod().equals("PUT")
                ? Json.mapper().readValue(body, GateSchedule.ScheduleRequest.class)
                : new GateSchedule.ScheduleRequest(
                        "DAILY|03:00", new GateRequest(null, null, null, List.of(), null, null, null));
        asked.add(request.request());
        send(
                exchange,
                200,
                Json.mapper()
                        .writeValueAsString(new GateSchedule(
                                "gemm", request.when(), request.request(), "ann", GateRuns.START, null, null, null)));
    }

    /** Verdicts come at the end, blocks before. */
    private String document(GateRun.State state) {
        GateRun of = answer;
        boolean measured = polls > 1;
        return Json.mapper()
                .writeValueAsString(new GateRun(
                        of.id(),
                        of.gate(),
                        state,
                        of.commit(),
                        of.branch(),
                        of.device(),
                        null,
                        null,
                        null,
                        of.cases().stream()
                                .map(one -> measured ? GateRuns.undecided(one) : GateRuns.one(one.name(), null, 0))
                                .toList(),
                        List.of(),
                        null,
                        1.5,
                        null,
                        null,
                        7,
                        "1",
                        null,
                        null,
                        GateRuns.START,
                        null));
    }

    private static void send(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(java.nio.charset.StandardCharsets.UTF_8);
        exchange.getResponseHeaders()
                .add("Content-Type", status < 400 ? "application/json" : "application/problem+json");
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
