package dev.tilewright.api.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.ResultSchema;
import dev.tilewright.api.testing.RunningService;
import dev.tilewright.api.testing.RunningService.Service;
import dev.tilewright.api.testing.ScriptedWorker;
import dev.tilewright.model.exchange.Lease;
import dev.tilewright.model.exchange.Work;
import dev.tilewright.model.trial.TrialOutcome;
import java.io.IOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

@ExtendWith(RunningService.class)
class JobLifecycleTest {

    @Test
    void aSubmittedJobIsAcceptedWithItsLocation(Api api) {
        Api.Answer answer = api.post("/api/v1/jobs", "{\"problems\":[{\"m\":2048,\"n\":1024,\"k\":768}]}");
        JsonNode job = answer.expect(202);
        assertThat(answer.header("location"))
                .isEqualTo("/api/v1/jobs/" + job.get("id").asString());
        assertThat(job.get("state").asString()).isEqualTo("queued");
        assertThat(job.get("strategy").asString()).isEqualTo("model");
        assertThat(job.get("budget").get("trials").isNull())
                .as("it stops by itself")
                .isTrue();
        assertThat(job.get("seed").asLong()).isEqualTo(1);
        assertThat(job.get("device").asString()).isEqualTo("auto");
        JsonNode study = job.get("studies").get(0);
        assertThat(study.get("problem").get("dtype").asString()).isEqualTo("bf16");
        assertThat(study.get("problem").get("groups").get(0).get("n").asInt()).isEqualTo(1024);
        assertThat(study.get("testbed").isNull()).isTrue();
        assertThat(api.get(answer.header("location")).expect(200)).isEqualTo(job);
    }

    @Test
    void aSweepOfTheWholeSpaceFinishesWithEveryPointAccountedFor(Api api, Service service) throws IOException {
        String id = api.submit("simulated:h200", "exhaustive", 100, "640x384x256");
        ScriptedWorker worker = ScriptedWorker.simulated(api);
        Lease first = worker.leaseOne();
        assertThat(api.job(id).get("state").asString()).isEqualTo("running");
        service.clock().advance(Duration.ofSeconds(2));
        worker.report(first, ScriptedWorker.failed(first, TrialOutcome.CRASH, "illegal address"))
                .taken();
        assertThat(worker.workOff(10_000, 100)).isEqualTo(19);

        assertThat(api.job(id).get("state").asString()).isEqualTo("finished");
        JsonNode result = api.result(id);
        assertThat(ResultSchema.errors(result)).isEmpty();
        JsonNode study = result.get("studies").get(0);
        assertThat(study.get("space").get("points").asInt()).isEqualTo(24);
        assertThat(study.get("space").get("size").asInt()).isEqualTo(20);
        assertThat(outcomes(study, "pruned")).isEqualTo(4);
        assertThat(outcomes(study, "completed")).isEqualTo(19);
        assertThat(outcomes(study, "crash")).isEqualTo(1);
        assertThat(study.get("best").get("kind").asString()).isEqualTo("simulated");
        assertThat(study.get("best").get("medianNs").asDouble()).isEqualTo(10_000);
        assertThat(study.get("best").get("tflops").asDouble()).isEqualTo(2.0 * 640 * 384 * 256 / 10_000 / 1e3);
        assertThat(study.get("sweep").get("configsPerSecond").asDouble()).isEqualTo(10);
        assertThat(study.get("ratioToDefault").isNull()).isTrue();
        assertThat(study.get("bestPeer").isNull()).isTrue();
        JsonNode pruned = trial(study, "pruned");
        assertThat(pruned.get("log").asString())
                .isEqualTo("accumulator: 32768 elements are more than 16384 (tileM=256 tileN=128)");
        assertThat(pruned.get("attempts").asInt()).isZero();
        JsonNode completed = trial(study, "completed");
        assertThat(completed.get("tilesPerSm")).hasSize(3);
        assertThat(completed.get("executed").get("gridX").asInt()).isEqualTo(132);
        assertThat(completed.get("errorRatio").isNull()).isTrue();
        // What a simulated GPU says is never served as best.
        assertThat(api.get("/api/v1/best?shape=640x384x256").expect(200).get("items"))
                .isEmpty();
    }

    private static long outcomes(JsonNode study, String outcome) {
        return study.get("trials")
                .valueStream()
                .filter(trial -> trial.get("outcome").asString().equals(outcome))
                .count();
    }

    private static JsonNode trial(JsonNode study, String outcome) {
        return study.get("trials")
                .valueStream()
                .filter(trial -> trial.get("outcome").asString().equals(outcome))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aStudyAsksNoMoreThanItsBudgetAndNothingTwice(Api api) {
        String id = api.submit("simulated:h200", "random", 11, "640x384x256");
        ScriptedWorker worker = ScriptedWorker.simulated(api);
        Set<String> configs = new HashSet<>();
        int count = 0;
        for (List<Lease> leases = worker.lease(3); !leases.isEmpty(); leases = worker.lease(3)) {
            for (Lease lease : leases) {
                configs.add(((Work.Screen) lease.work()).config().hash());
                worker.complete(lease, 1000 + count++);
            }
        }
        assertThat(count).isEqualTo(11);
        assertThat(configs).hasSize(11);
        assertThat(api.job(id)
                        .get("studies")
                        .get(0)
                        .get("trials")
                        .get("finished")
                        .asInt())
                .isEqualTo(11);
    }

    @Test
    void aWorkerStaysWithOneProblemUntilItIsDone(Api api) {
        api.submit("simulated:h200", "random", 5, "640x384x256", "128x256x512");
        ScriptedWorker worker = ScriptedWorker.simulated(api);
        List<Lease> leases = worker.lease(8);
        assertThat(leases).hasSize(8);
        assertThat(leases.subList(0, 5))
                .allMatch(lease -> lease.problem().shape().m() == 640);
        assertThat(leases.subList(5, 8))
                .allMatch(lease -> lease.problem().shape().m() == 128);
    }

    @Test
    void theTimeOfTheBudgetRunsWhileADeviceWorks(Api api, Service service) {
        String body = """
                {"problems":[{"m":64,"n":128,"k":256}],"family":"toy","budget":{"trials":20,"seconds":60},"device":"simulated:h200"}""";
        String id = api.post("/api/v1/jobs", body).expect(202).get("id").asString();
        service.clock().advance(Duration.ofSeconds(1000));
        ScriptedWorker worker = ScriptedWorker.simulated(api);
        Lease lease = worker.leaseOne();
        service.work(Duration.ofSeconds(59), worker, lease);
        worker.complete(lease, 500);
        service.silence(Duration.ofSeconds(500));
        Lease last = worker.leaseOne();
        service.work(Duration.ofSeconds(2), worker, last);
        worker.complete(last, 400);
        JsonNode job = api.job(id);
        assertThat(job.get("state").asString()).isEqualTo("finished");
        assertThat(job.get("studies").get(0).get("trials").get("completed").asInt())
                .isEqualTo(2);
        JsonNode trials = api.result(id).get("studies").get(0).get("trials");
        assertThat(trials.valueStream()
                        .filter(trial -> trial.get("outcome").asString().equals("cancelled")))
                .isNotEmpty()
                .allSatisfy(
                        trial -> assertThat(trial.get("log").asString()).isEqualTo("the 60 s of the budget were over"));
    }

    /** A search that does not learn has asked for all of them at once: what is open then is cut off all the same. */
    @Test
    void theTimeOfTheBudgetEndsWhatWasAskedBefore(Api api, Service service) {
        String body = """
                {"problems":[{"m":64,"n":128,"k":256}],"family":"toy","strategy":"random","budget":{"trials":16,"seconds":60},"device":"simulated:h200"}""";
        String id = api.post("/api/v1/jobs", body).expect(202).get("id").asString();
        ScriptedWorker worker = ScriptedWorker.simulated(api);
        worker.complete(worker.leaseOne(), 500);
        Lease last = worker.leaseOne();
        service.work(Duration.ofSeconds(61), worker, last);
        worker.complete(last, 400);
        assertThat(worker.lease(4)).isEmpty();
        assertThat(api.job(id).get("state").asString()).isEqualTo("finished");
        JsonNode study = api.result(id).get("studies").get(0);
        assertThat(outcomes(study, "completed")).isEqualTo(2);
        assertThat(outcomes(study, "cancelled")).isEqualTo(14);
    }

    @Test
    void cancellingEndsEverythingAtOnceAndTellsTheWorker(Api api) {
        String id = api.submit("simulated:h200", "random", 10, "640x384x256");
        ScriptedWorker worker = ScriptedWorker.simulated(api);
        Lease done = worker.leaseOne();
        worker.complete(done, 700);
        Lease running = worker.leaseOne();
        assertThat(worker.heartbeat(running)).isEmpty();
        JsonNode job = api.post("/api/v1/jobs/" + id + "/cancel", "").expect(200);
        assertThat(job.get("state").asString()).isEqualTo("cancelled");
        assertThat(worker.heartbeat(running)).containsExactly(running.leaseId());
        worker.complete(running, 1000);
        JsonNode study = api.result(id).get("studies").get(0);
        assertThat(outcomes(study, "completed")).isEqualTo(1);
        assertThat(outcomes(study, "cancelled")).isEqualTo(study.get("trials").size() - 1);
        assertThat(worker.lease(4)).isEmpty();
        assertThat(api.post("/api/v1/jobs/" + id + "/cancel", "").expect(200)).isEqualTo(job);
    }

    /** When the job came no worker was there, and the service took it for one for an H200. */
    @Test
    void aStudyWhoseValuesTheDeviceHasNotEndsWithTheReason(Api api) {
        String id = api.post("/api/v1/jobs", """
                        {"problems":[{"m":4096,"n":4096,"k":512}],"parameters":{"gridSize":[128]},"device":"cuda"}""").expect(202).get("id").asString();
        ScriptedWorker worker = ScriptedWorker.smallCuda(api, 72);
        assertThat(worker.lease(4)).isEmpty();
        assertThat(api.job(id).get("state").asString()).isEqualTo("failed");
        assertThat(api.result(id).get("studies").get(0).get("error").asString())
                .isEqualTo("on small GPU: parameter 'gridSize' has no value 128; known: 0, 64");
    }

    @Test
    void studiesAndTrialsCanBeReadOneByOneAndInPages(Api api) {
        String id = api.submit("simulated:h200", "random", 7, "640x384x256");
        ScriptedWorker worker = ScriptedWorker.simulated(api);
        assertThat(worker.workOff(900, 1)).isEqualTo(7);
        String study = api.job(id).get("studies").get(0).get("id").asString();
        assertThat(api.get("/api/v1/studies/" + study)
                        .expect(200)
                        .get("counts")
                        .get("completed")
                        .asInt())
                .isEqualTo(7);
        JsonNode first = api.get("/api/v1/studies/" + study + "/trials?limit=4").expect(200);
        JsonNode second = api.get("/api/v1/studies/" + study + "/trials?limit=4&cursor="
                        + first.get("next").asString())
                .expect(200);
        assertThat(first.get("items")).hasSize(4);
        assertThat(second.get("items")).hasSize(3);
        assertThat(second.get("next").isNull()).isTrue();
        JsonNode trial = api.get(
                        "/api/v1/trials/" + second.get("items").get(0).get("id").asString())
                .expect(200);
        assertThat(trial.get("ordinal").asInt()).isEqualTo(4);
        assertThat(trial.get("leases").get(0).get("ending").asString()).isEqualTo("reported");
        assertThat(trial.get("leases").get(0).get("workerId").asString())
                .isEqualTo(worker.id().toString());
        assertThat(trial.get("timesNs").get("measure").asLong()).isEqualTo(5_000_000);
    }

    @Test
    void jobsAreListedNewestFirst(Api api) {
        List<String> ids = List.of(
                api.submit("auto", "random", 1, "8x16x24"),
                api.submit("auto", "random", 2, "8x16x24"),
                api.submit("auto", "random", 3, "8x16x24"));
        JsonNode first = api.get("/api/v1/jobs?limit=2").expect(200);
        assertThat(first.get("items").valueStream().map(job -> job.get("id").asString()))
                .containsExactly(ids.get(2), ids.get(1));
        JsonNode second = api.get(
                        "/api/v1/jobs?limit=2&cursor=" + first.get("next").asString())
                .expect(200);
        assertThat(second.get("items").valueStream().map(job -> job.get("id").asString()))
                .containsExactly(ids.getFirst());
        assertThat(UUID.fromString(ids.getFirst())).isNotNull();
    }
}
