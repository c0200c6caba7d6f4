package dev.tilewright.api.platform.database;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.Awaiting;
import dev.tilewright.api.testing.RunningService;
import dev.tilewright.api.testing.RunningService.Service;
import dev.tilewright.api.testing.ScriptedWorker;
import dev.tilewright.api.testing.Stored;
import dev.tilewright.model.exchange.Lease;
import dev.tilewright.model.exchange.LeaseRequest;
import dev.tilewright.model.exchange.ReportBatch;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

/** Who waits for what others hold, and who does not. */
@Tag("alone")
@ExtendWith(RunningService.class)
class BulkheadTest {

    /** A hundred times what a call takes that waits for nobody, and less than any of them waits for a lock. */
    private static final double AT_ONCE_MS = 1000;

    /** The same service, with answers as they come: nobody waits for the driver. */
    private Api direct;

    @BeforeEach
    void connect(Api api) {
        direct = new Api(api.uri("").toString());
    }

    private static JsonNode atOnce(String what, Supplier<Api.Answer> call) {
        long begin = System.nanoTime();
        JsonNode answer = call.get().expect(200);
        assertThat((System.nanoTime() - begin) / 1e6).as(what + ", ms").isLessThan(AT_ONCE_MS);
        return answer;
    }

    private Api.Answer cancel(String job) {
        return direct.post("/api/v1/jobs/" + job + "/cancel", "");
    }

    private Api.Answer report(ScriptedWorker worker, Lease lease) {
        return worker.at(direct)
                .work(
                        "/api/v1/reports",
                        new ReportBatch(
                                List.of(new ReportBatch.LeaseReport(lease.leaseId(), worker.completed(lease, 100)))));
    }

    /** Twice, so that the second heartbeat finds what the first has left. */
    private void assertThatLeaseTrafficFlows(ScriptedWorker worker, Lease held) {
        for (int i = 0; i < 2; i++) {
            assertThat(atOnce(
                                    "heartbeat",
                                    () -> worker.at(direct).work("/api/v1/heartbeats", worker.beat(List.of(held))))
                            .get("stop"))
                    .isEmpty();
            assertThat(atOnce(
                                    "leases",
                                    () -> worker.at(direct)
                                            .work(
                                                    "/api/v1/leases",
                                                    new LeaseRequest(worker.id(), worker.device(), 1, 0)))
                            .get("leases"))
                    .hasSize(1);
            assertThat(atOnce("health", () -> direct.get("/actuator/health")).at("/components/db/status"))
                    .hasToString("\"UP\"");
        }
    }

    private static void assertTimedOut(Api.Answer answer, String limit) {
        JsonNode problem = answer.problem(503);
        assertThat(problem.get("type").asString()).isEqualTo("urn:tilewright:problem:timed-out");
        assertThat(problem.get("detail").asString()).startsWith(limit);
        assertThat(answer.header("retry-after")).isEqualTo("1");
    }

    @Test
    void whoHoldsAStudyStopsItAndNothingElse(Api api, Service service) throws Exception {
        String held = api.submit("simulated:h200", "random", 9, "640x384x256");
        ScriptedWorker worker = ScriptedWorker.simulated(api);
        Lease lease = worker.leaseOne();
        String other = api.submit("simulated:h200", "random", 9, "128x256x512");
        worker.lease(9);
        String third = api.submit("simulated:h200", "random", 9, "72x88x96");
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            CompletableFuture<Api.Answer> cancelled;
            CompletableFuture<Api.Answer> reported;
            try (OtherSession _ = OtherSession.holdingStudyOf(service, held)) {
                cancelled = CompletableFuture.supplyAsync(() -> cancel(held), threads);
                reported = CompletableFuture.supplyAsync(() -> report(worker, lease), threads);
                assertThatLeaseTrafficFlows(worker, lease);
                assertThat(atOnce("cancel", () -> cancel(third)).get("state").asString())
                        .isEqualTo("cancelled");
                assertThat(direct.job(held).get("state").asString()).isEqualTo("running");
                assertTimedOut(
                        cancelled.join(),
                        "another transaction held what it needs for longer than 3 s (lock_timeout); whether");
                assertTimedOut(
                        reported.join(),
                        "another transaction held what it needs for longer than 3 s (lock_timeout); whether");
            }
            assertThat(report(worker, lease).expect(200).get("refused")).isEmpty();
            assertThat(cancel(held).expect(200).get("state").asString()).isEqualTo("cancelled");
            assertThat(api.job(other).get("state").asString()).isEqualTo("running");
        }
    }

    @Test
    void usersWhoExhaustTheirPoolTakeNothingFromWorkers(Api api, Service service) throws Exception {
        String job = api.submit("simulated:h200", "exhaustive", 20, "640x384x256");
        ScriptedWorker worker = ScriptedWorker.simulated(api);
        worker.complete(worker.leaseOne(), 100);
        Lease lease = worker.leaseOne();
        String other = api.submit("simulated:h200", "random", 9, "128x256x512");
        ConcurrentLinkedQueue<Api.Answer> answers = new ConcurrentLinkedQueue<>();
        AtomicBoolean asking = new AtomicBoolean(true);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            try (OtherSession _ = OtherSession.holding(service, "lock table measurement in access exclusive mode")) {
                for (int i = 0; i < 20; i++) {
                    threads.execute(() -> {
                        while (asking.get()) {
                            answers.add(direct.get("/api/v1/jobs/" + job + "/result"));
                        }
                    });
                }
                Pools pools = service.bean(Pools.class);
                Awaiting.until(() -> pools.use(ConnectionPool.QUERIES)
                                .equals(new Pools.Use(
                                        ConnectionPool.QUERIES.size(), 20 - ConnectionPool.QUERIES.size()))
                        && Stream.of("lock_timeout", "no connection")
                                .allMatch(reason -> answers.stream()
                                        .anyMatch(answer ->
                                                answer.json().toString().contains(reason))));
                assertThatLeaseTrafficFlows(worker, lease);
                assertThat(atOnce("health", () -> direct.get("/actuator/health"))
                                .at("/components/db/details/queries")
                                .asString())
                        .startsWith("6 of 6 connections in use, ");
                assertThat(atOnce("cancel", () -> cancel(other)).get("state").asString())
                        .isEqualTo("cancelled");
            } finally {
                asking.set(false);
            }
        }
        assertThat(answers.stream().filter(answer -> answer.status() != 200))
                .isNotEmpty()
                .allSatisfy(answer -> assertTimedOut(answer, ""))
                .extracting(answer -> answer.json().get("detail").asString().replaceAll("[;:].*", ""))
                .containsOnly(
                        "another transaction held what it needs for longer than 5 s (lock_timeout)",
                        "no connection for queries was had within 5 s");
    }

    @Test
    void whereTooManyWaitAlreadyOneMoreIsRefusedAtOnce(Api api, Service service) throws Exception {
        Pools pools = service.bean(Pools.class);
        List<Connection> held = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            try {
                for (int i = 0; i < ConnectionPool.QUERIES.size(); i++) {
                    held.add(pools.getConnection());
                }
                for (int i = 0; i < 300; i++) {
                    threads.submit(() -> {
                        pools.getConnection().close();
                        return null;
                    });
                }
                Awaiting.until(() -> pools.use(ConnectionPool.QUERIES).waiting() >= 256);
                Api.Answer refused = direct.get("/api/v1/jobs");
                JsonNode problem = refused.problem(503);
                assertThat(problem.get("type").asString()).isEqualTo("urn:tilewright:problem:busy");
                assertThat(problem.get("detail").asString())
                        .isEqualTo("256 threads wait for the 6 connections for queries already; nothing was changed:"
                                + " ask again");
                assertThat(refused.header("retry-after")).isEqualTo("1");
            } finally {
                for (Connection connection : held) {
                    connection.close();
                }
            }
        }
        direct.get("/api/v1/jobs").expect(200);
    }

    /** A result is written between two looks at the database, not while a connection is held. */
    @Test
    void clientsThatDoNotReadTheirResultsHoldNoConnection(Api api, Service service) throws IOException {
        ScriptedWorker worker = ScriptedWorker.simulated(api);
        String job = new Stored(api, service).study(worker, 900).job();
        Lease lease = worker.leaseOne();
        List<Socket> clients = new ArrayList<>();
        try {
            for (int i = 0; i < 20; i++) {
                Socket client = new Socket("127.0.0.1", api.uri("").getPort());
                clients.add(client);
                client.getOutputStream()
                        .write(("GET /api/v1/jobs/" + job + "/result HTTP/1.1\r\nHost: localhost\r\n\r\n")
                                .getBytes(StandardCharsets.US_ASCII));
            }
            for (Socket client : clients) {
                assertThat(client.getInputStream().read()).isEqualTo('H');
            }
            Pools pools = service.bean(Pools.class);
            Awaiting.until(() -> pools.use(ConnectionPool.QUERIES).equals(new Pools.Use(0, 0)));
            assertThatLeaseTrafficFlows(worker, lease);
            assertThat(atOnce("cancel", () -> cancel(job)).get("state").asString())
                    .isEqualTo("cancelled");
        } finally {
            for (Socket client : clients) {
                client.close();
            }
        }
    }
}
