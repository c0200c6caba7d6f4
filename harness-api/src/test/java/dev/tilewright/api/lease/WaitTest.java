package dev.tilewright.api.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.platform.database.ConnectionPool;
import dev.tilewright.api.platform.database.Pools;
import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.Awaiting;
import dev.tilewright.api.testing.RunningService;
import dev.tilewright.api.testing.RunningService.Service;
import dev.tilewright.api.testing.ScriptedWorker;
import dev.tilewright.model.exchange.LeaseRequest;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A request for work waits in the service until Postgres notifies work, and costs nothing meanwhile. */
@ExtendWith(RunningService.class)
class WaitTest {

    /** Less than a wait that nothing ends. */
    private static final Duration WOKEN = Duration.ofMillis(LeaseRequest.MAX_WAIT_MS - 1000);

    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    /** Answers of the service as they come: nobody waits for the driver. */
    private Api direct;

    @BeforeEach
    void connect(Api api) {
        direct = new Api(api.uri("").toString());
    }

    @AfterEach
    void end() {
        threads.shutdownNow();
    }

    /** A request that waits, of a device that the service knows to be idle. */
    private CompletableFuture<Api.Answer> waiting(Service service, ScriptedWorker worker) {
        // A registration that is notified late ends the first wait.
        for (long before = -1; before != looks(service); ) {
            ask(worker, 20);
            before = looks(service);
            ask(worker, 20);
        }
        long before = connections(service);
        CompletableFuture<Api.Answer> answer =
                CompletableFuture.supplyAsync(() -> ask(worker.at(direct), LeaseRequest.MAX_WAIT_MS), threads);
        Awaiting.until(() -> connections(service) > before);
        return answer;
    }

    private static Api.Answer ask(ScriptedWorker worker, int waitMs) {
        return worker.work("/api/v1/leases", new LeaseRequest(worker.id(), worker.device(), 1, waitMs));
    }

    private static long looks(Service service) {
        return service.bean(MeterRegistry.class)
                .get("tilewright.leases.answer")
                .timer()
                .count();
    }

    private static long connections(Service service) {
        return service.bean(MeterRegistry.class)
                .get("hikaricp.connections.usage")
                .tag("pool", "control")
                .timer()
                .count();
    }

    private static void assertWokenWithoutWork(CompletableFuture<Api.Answer> answer) {
        assertThat(answer).succeedsWithin(WOKEN);
        assertThat(answer.join().expect(200).get("leases")).isEmpty();
    }

    @Test
    void aJobEndsTheWait(Api api, Service service) {
        ScriptedWorker worker = ScriptedWorker.simulated(api);
        CompletableFuture<Api.Answer> answer = waiting(service, worker);
        direct.submit("simulated:h200", "random", 3, "640x384x256");
        assertWokenWithoutWork(answer);
        assertThat(worker.leaseOne().studyId()).isNotNull();
    }

    /** A request that is answered from memory authenticates its worker with one statement. */
    @Test
    void aWaitThatBeginsAgainCostsOneConnection(Api api, Service service) {
        ScriptedWorker worker = ScriptedWorker.simulated(api);
        waiting(service, worker);
        long before = connections(service);
        for (int i = 0; i < 5; i++) {
            ask(worker, 1).expect(200);
        }
        assertThat(connections(service) - before).isLessThanOrEqualTo(6);
    }

    @Test
    void manyIdleDevicesHoldNoConnection(Api api, Service service) {
        List<ScriptedWorker> workers = IntStream.range(0, 64)
                .mapToObj(gpu -> ScriptedWorker.simulated(api))
                .toList();
        List<CompletableFuture<Api.Answer>> answers =
                workers.stream().map(worker -> waiting(service, worker)).toList();
        Pools pools = service.bean(Pools.class);
        Awaiting.until(() -> pools.use(ConnectionPool.CONTROL).equals(new Pools.Use(0, 0)));
        assertThat(workers.getFirst().heartbeat()).isEmpty();
        direct.submit("simulated:h200", "random", 3, "640x384x256");
        answers.forEach(WaitTest::assertWokenWithoutWork);
    }

    /** A notification that nobody hears is lost: all waits end, their owners look, and are notified again. */
    @Test
    void aListenerThatIsLostEndsAllWaitsAndComesBack(Api api, Service service) {
        ScriptedWorker worker = ScriptedWorker.simulated(api);
        CompletableFuture<Api.Answer> answer = waiting(service, worker);
        assertThat(service.jdbc()
                        .sql(
                                "select count(pg_terminate_backend(pid)) from pg_stat_activity where application_name = 'tilewright notifications'")
                        .query(Integer.class)
                        .single())
                .isEqualTo(1);
        assertWokenWithoutWork(answer);
        aJobEndsTheWait(api, service);
    }

    @Test
    void aServiceThatStopsEndsAllWaits() {
        Service stopping = RunningService.start(Map.of("db-scheduler.enabled", "false"));
        CompletableFuture<Api.Answer> answer;
        try (stopping) {
            direct = new Api(stopping.api().uri("").toString());
            answer = waiting(stopping, ScriptedWorker.simulated(stopping.api()));
        }
        assertWokenWithoutWork(answer);
    }

    @Test
    void aWaitThatIsTooLongIsRefused(Api api) {
        ScriptedWorker worker = ScriptedWorker.simulated(api);
        for (int waitMs : new int[] {-1, LeaseRequest.MAX_WAIT_MS + 1}) {
            assertThat(Api.errors(ask(worker, waitMs).problem(422)))
                    .containsExactly("/waitMs: must be from 0 to 10000, got " + waitMs);
        }
    }
}
