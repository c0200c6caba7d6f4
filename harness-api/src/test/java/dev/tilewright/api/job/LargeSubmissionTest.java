package dev.tilewright.api.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.platform.database.ConnectionPool;
import dev.tilewright.api.platform.database.Pools;
import dev.tilewright.api.platform.http.LargeRequests;
import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.Awaiting;
import dev.tilewright.api.testing.RunningService;
import dev.tilewright.api.testing.RunningService.Service;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** A submission of many shapes is checked without a connection, and is accepted. */
@ExtendWith(RunningService.class)
class LargeSubmissionTest {

    private static final int MOST = 256;
    private static final String STATIC = "\"schedulers\":[\"static\"]";

    /** Distinct shapes of sm90-gemm. */
    private static String shapes(int count) {
        SplittableRandom random = new SplittableRandom(41);
        return Stream.generate(() -> "{\"m\":%d,\"n\":%d,\"k\":%d}"
                        .formatted(
                                8 * random.nextInt(8, 1024), 8 * random.nextInt(8, 1024), 8 * random.nextInt(8, 1024)))
                .distinct()
                .limit(count)
                .collect(Collectors.joining(","));
    }

    private static String job(int shapes, String restriction) {
        return "{\"problems\":[%s],\"family\":\"sm90-gemm\",\"device\":\"simulated:h200\",\"budget\":{\"trials\":4},%s}"
                .formatted(shapes(shapes), restriction);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                STATIC,
                "\"space\":\"full\"," + STATIC,
                "\"parameters\":{\"tileM\":[128],\"consumers\":[2]}",
            })
    void asManyShapesAsAJobMayHaveAreAcceptedWithARestriction(String restriction, Api api) {
        JsonNode job = api.post("/api/v1/jobs", job(MOST, restriction)).expect(202);
        assertThat(job.get("studies")).hasSize(MOST);
        assertThat(job.get("state").asString()).isEqualTo("queued");
    }

    /**
     * A submission that waits for its turn, or is being checked, holds no connection: other requests are answered
     * meanwhile.
     */
    @Test
    void whoIsCheckedHoldsNoConnection(Api api, Service service) throws Exception {
        LargeRequests large = service.bean(LargeRequests.class);
        Pools pools = service.bean(Pools.class);
        CountDownLatch checked = new CountDownLatch(large.most());
        CountDownLatch free = new CountDownLatch(1);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            try {
                for (int i = 0; i < large.most(); i++) {
                    threads.submit(() -> large.check(MOST, () -> {
                        checked.countDown();
                        return await(free);
                    }));
                }
                checked.await();
                List<CompletableFuture<Api.Answer>> waiting = new ArrayList<>();
                IntStream.range(0, ConnectionPool.QUERIES.size())
                        .forEach(_ -> waiting.add(CompletableFuture.supplyAsync(
                                () -> api.post("/api/v1/jobs", job(9, STATIC)), threads)));
                Awaiting.until(() -> large.waiting() == waiting.size());
                assertThat(pools.use(ConnectionPool.QUERIES)).isEqualTo(new Pools.Use(0, 0));
                api.post("/api/v1/jobs", job(1, STATIC)).expect(202);
                api.get("/api/v1/jobs").expect(200);
                assertThat(api.get("/actuator/health").expect(200).get("status").asString())
                        .isEqualTo("UP");
                free.countDown();
                assertThat(waiting.stream().map(CompletableFuture::join).map(Api.Answer::status))
                        .allMatch(status -> status == 202 || status == 503);
            } finally {
                free.countDown();
            }
        }
    }

    private static boolean await(CountDownLatch latch) {
        try {
            latch.await();
            return true;
        } catch (InterruptedException unexpected) {
            throw new AssertionError(unexpected);
        }
    }

    /** The rules of four are named; the others are named alone. */
    @Test
    void emptySpacesAreAllNamedAndTheRulesOfSomeToo(Api api) {
        JsonNode problem = api.post(
                        "/api/v1/jobs",
                        job(
                                6,
                                "\"parameters\":{\"tileM\":[256],\"tileN\":[256],\"consumers\":[1],\"epilogueStages\":[2]}"))
                .problem(422);
        assertThat(problem.get("type").asString()).isEqualTo("urn:tilewright:problem:empty-space");
        List<String> errors = Api.errors(problem);
        for (int i = 0; i < 6; i++) {
            String named = "/problems/" + i + ": no config keeps every rule";
            assertThat(errors).anyMatch(i < 4 ? error -> error.startsWith(named + ": ") : named::equals);
        }
    }
}
