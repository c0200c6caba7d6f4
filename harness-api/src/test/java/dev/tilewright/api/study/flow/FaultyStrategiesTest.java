package dev.tilewright.api.study.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.Awaiting;
import dev.tilewright.api.testing.RunningService;
import dev.tilewright.api.testing.RunningService.Service;
import dev.tilewright.api.testing.ScriptedWorker;
import dev.tilewright.model.exchange.Lease;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** A strategy that is wrong ends its own study, with the reason; nobody else notices. */
class FaultyStrategiesTest {

    private static final int TRIALS = 12;

    private static final Map<String, String> REASONS = Map.of(
            "sleeps",
            "strategy 'sleeps' did not answer within 500 ms",
            "spins",
            "strategy 'spins' did not answer within 500 ms",
            "throws",
            "strategy 'throws' failed: java.lang.LinkageError: half of it is missing",
            "outside",
            "strategy 'outside' failed: java.lang.IllegalStateException: it asked for what the space does not"
                    + " have: rasterGroup=1 scheduler=single tileM=32 tileN=64",
            "repeats",
            "strategy 'repeats' failed: java.lang.IllegalStateException: it asked twice for rasterGroup=1"
                    + " scheduler=single tileM=64 tileN=64",
            "greedy",
            "strategy 'greedy' failed: java.lang.IllegalStateException: it asked for 13 configs where 12 were"
                    + " wanted");

    private static Service start(String deadline) {
        return RunningService.start(
                Map.of("db-scheduler.enabled", "false", "tilewright.ask-deadline", deadline),
                FaultyStrategies.Replacement.class);
    }

    /** A client that does not wait for the driver. */
    private static Api impatient(Service service) {
        return new Api(service.api().uri("").toString());
    }

    private static String submit(Api api, String strategy) {
        return api.submit("simulated:h200", strategy, TRIALS, "640x384x256");
    }

    /** Works on whatever there is until a job is over; a study that fails meanwhile takes its leases with it. */
    private static JsonNode workUntilOver(Api api, ScriptedWorker worker, String job) {
        Awaiting.until(() -> {
            List<Lease> leases = worker.leaseUnheard(4);
            List<UUID> stopped = worker.heartbeat(leases.toArray(Lease[]::new));
            for (Lease lease : leases) {
                if (!stopped.contains(lease.leaseId())) {
                    worker.report(lease, worker.completed(lease, 1000));
                }
            }
            return !List.of("queued", "running")
                    .contains(api.job(job).get("state").asString());
        });
        return api.job(job).get("studies").get(0);
    }

    @Test
    void eachEndsItsOwnStudyWithTheReasonAndTheOthersFinish() {
        try (Service service = start("500ms")) {
            Api api = impatient(service);
            Map<String, String> jobs = new TreeMap<>();
            REASONS.keySet().forEach(strategy -> jobs.put(strategy, submit(api, strategy)));
            String beside = submit(api, "random");
            ScriptedWorker worker = ScriptedWorker.simulated(api);
            JsonNode right = workUntilOver(api, worker, beside);
            assertThat(right.get("error").isNull()).isTrue();
            assertThat(right.get("trials").get("completed").asInt()).isEqualTo(TRIALS);
            jobs.forEach((strategy, job) -> {
                JsonNode study = workUntilOver(api, worker, job);
                assertThat(study.get("state").asString()).isEqualTo("failed");
                assertThat(study.get("error").asString()).isEqualTo(REASONS.get(strategy));
                assertThat(study.get("trials").get("finished"))
                        .as("no trial is left open")
                        .isEqualTo(study.get("trials").get("total"));
            });
            service.bean(FaultyStrategies.class).end();
        }
    }

    /** One study more than there are cores thinks for as long as the test likes. */
    @Test
    void whileAStrategyThinksNobodyWaitsForIt() {
        try (Service service = start("1h")) {
            Api api = impatient(service);
            FaultyStrategies faulty = service.bean(FaultyStrategies.class);
            int studies = Math.max(2, Runtime.getRuntime().availableProcessors()) + 1;
            List<String> held = new ArrayList<>();
            IntStream.range(0, studies).forEach(study -> held.add(submit(api, "held")));
            ScriptedWorker worker = ScriptedWorker.simulated(api);
            Awaiting.until(() -> worker.lease(4).isEmpty() && faulty.thinking() == studies);

            assertThat(held).allSatisfy(job -> {
                JsonNode study = api.job(job).get("studies").get(0);
                assertThat(study.get("state").asString()).isEqualTo("running");
                assertThat(study.get("testbed").isNull()).isFalse();
            });
            String beside = submit(api, "random");
            List<Lease> leases = new ArrayList<>();
            Awaiting.until(() -> leases.addAll(worker.lease(1)));
            assertThat(worker.heartbeat(leases.getFirst())).as("leases to drop").isEmpty();
            worker.complete(leases.getFirst(), 1000);
            JsonNode right = workUntilOver(api, worker, beside);
            assertThat(right.get("trials").get("completed").asInt()).isEqualTo(TRIALS);

            JsonNode cancelled =
                    api.post("/api/v1/jobs/" + held.getFirst() + "/cancel", "").expect(200);
            assertThat(cancelled.get("state").asString()).isEqualTo("cancelled");
            assertThat(faulty.thinking()).as("all still think").isEqualTo(studies);

            faulty.end();
            held.stream()
                    .skip(1)
                    .forEach(job -> assertThat(workUntilOver(api, worker, job)
                                    .get("trials")
                                    .get("completed")
                                    .asInt())
                            .isEqualTo(TRIALS));
            JsonNode left = api.job(held.getFirst()).get("studies").get(0);
            assertThat(left.get("state").asString()).isEqualTo("cancelled");
            assertThat(left.get("trials").get("total").asInt()).isZero();
        }
    }
}
