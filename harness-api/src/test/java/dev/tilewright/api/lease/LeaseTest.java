package dev.tilewright.api.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.RunningService;
import dev.tilewright.api.testing.RunningService.Service;
import dev.tilewright.api.testing.ScriptedWorker;
import dev.tilewright.api.testing.ToyFamily;
import dev.tilewright.model.exchange.FinalResult;
import dev.tilewright.model.exchange.Lease;
import dev.tilewright.model.exchange.LeaseRequest;
import dev.tilewright.model.exchange.Report;
import dev.tilewright.model.exchange.Work;
import dev.tilewright.model.trial.TrialOutcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

@ExtendWith(RunningService.class)
class LeaseTest {

    private static final Duration TTL = Duration.ofSeconds(15);

    @Test
    void aLeaseSaysAllThatAWorkerNeeds(Api api) {
        api.submit("simulated:h200", "random", 10, "640x384x256");
        Lease lease = ScriptedWorker.simulated(api).leaseOne();
        assertThat(lease.ttlMs()).isEqualTo(15_000);
        assertThat(lease.fence()).isEqualTo(1);
        assertThat(lease.family()).isEqualTo("toy");
        assertThat(lease.familyBuild()).hasSize(64);
        assertThat(lease.spaceHashes().get("toy"))
                .isEqualTo(new ToyFamily()
                        .space(lease.problem(), dev.tilewright.space.device.DeviceLimits.of(132))
                        .hash());
        assertThat(lease.problem().shape().n()).isEqualTo(384);
        assertThat(((Work.Screen) lease.work()).attempt()).isEqualTo(1);
    }

    @Test
    void aLostLeaseGoesToTheNextWorkerWithAHigherFenceAndTheOldReportIsRefused(Api api, Service service) {
        String id = api.submit("simulated:h200", "random", 1, "640x384x256");
        ScriptedWorker lost = ScriptedWorker.simulated(api);
        ScriptedWorker next = ScriptedWorker.simulated(api);
        Lease first = lost.leaseOne();
        assertThat(next.lease(4)).isEmpty();
        service.silence(TTL);
        Lease second = next.leaseOne();
        assertThat(((Work.Screen) second.work()).trialId()).isEqualTo(((Work.Screen) first.work()).trialId());
        assertThat(((Work.Screen) second.work()).attempt()).isEqualTo(2);
        assertThat(second.fence()).isGreaterThan(first.fence());

        JsonNode stale = lost.report(first, lost.completed(first, 1000)).refused(409);
        assertThat(stale.get("type").asString()).isEqualTo("urn:tilewright:problem:stale-lease");
        assertThat(lost.heartbeat(first)).containsExactly(first.leaseId());
        next.complete(second, 3000);
        JsonNode trial = api.result(id).get("studies").get(0).get("trials").get(0);
        assertThat(trial.get("attempts").asInt()).isEqualTo(2);
        assertThat(trial.get("measurements").get(0).get("medianNs").asDouble()).isEqualTo(3000);
        JsonNode leases = api.get("/api/v1/trials/" + trial.get("id").asString())
                .expect(200)
                .get("leases");
        assertThat(leases.valueStream().map(lease -> lease.get("ending").asString()))
                .containsExactly("expired", "reported");
    }

    @Test
    void theBackgroundTaskTakesLostWorkBackToo(Api api, Service service) {
        String id = api.submit("simulated:h200", "random", 1, "640x384x256");
        ScriptedWorker.simulated(api).leaseOne();
        service.silence(TTL);
        assertThat(api.result(id)
                        .get("studies")
                        .get(0)
                        .get("counts")
                        .get("queued")
                        .asInt())
                .isEqualTo(1);
    }

    @Test
    void threeLostWorkersAreNobodysFaultAndNotTriedAgain(Api api, Service service) {
        String id = api.submit("simulated:h200", "random", 1, "640x384x256");
        for (int i = 0; i < 3; i++) {
            assertThat(ScriptedWorker.simulated(api).lease(1)).hasSize(1);
            service.silence(TTL);
        }
        assertThat(ScriptedWorker.simulated(api).lease(1)).isEmpty();
        JsonNode trial = api.result(id).get("studies").get(0).get("trials").get(0);
        assertThat(trial.get("outcome").asString()).isEqualTo("infrastructure");
        assertThat(trial.get("attempts").asInt()).isEqualTo(3);
        assertThat(trial.get("log").asString()).isEqualTo("3 workers were lost while they held this");
        assertThat(api.job(id).get("state").asString()).isEqualTo("finished");
    }

    @Test
    void aLeaseThatItsWorkerNeverHeardOfCostsNoAttempt(Api api, Service service) {
        String id = api.submit("simulated:h200", "random", 1, "640x384x256");
        ScriptedWorker worker = ScriptedWorker.simulated(api);
        // The first poll begins the study.
        worker.leaseUnheard(1);
        Lease unheard = worker.leaseUnheard(1).getFirst();
        for (int i = 0; i < 4; i++) {
            service.silence(TTL);
            assertThat(worker.leaseUnheard(1)).hasSize(1);
        }
        service.silence(TTL);
        Lease heard = worker.leaseOne();
        assertThat(heard.fence()).isEqualTo(6);
        assertThat(((Work.Screen) heard.work()).attempt()).isEqualTo(1);
        worker.report(unheard, worker.completed(unheard, 100)).refused(409);
        assertThat(worker.heartbeat(unheard)).containsExactly(unheard.leaseId());
        worker.complete(heard, 300);
        JsonNode trial = api.result(id).get("studies").get(0).get("trials").get(0);
        assertThat(trial.get("attempts").asInt()).isEqualTo(1);
        assertThat(endings(api, trial))
                .containsExactly("undelivered", "undelivered", "undelivered", "undelivered", "undelivered", "reported");
    }

    /** Whoever has confirmed a lease may have begun: from its kill on nobody knows what it did to the GPU. */
    @Test
    void aWorkerThatIsKilledAfterItsFirstHeartbeatCostsAnAttempt(Api api, Service service) {
        String id = api.submit("simulated:h200", "random", 1, "640x384x256");
        ScriptedWorker killed = ScriptedWorker.simulated(api);
        Lease begun = killed.leaseOne();
        service.silence(TTL);
        ScriptedWorker next = ScriptedWorker.simulated(api);
        Lease again = next.leaseOne();
        assertThat(((Work.Screen) again.work()).attempt()).isEqualTo(2);
        next.complete(again, 1000);
        JsonNode trial = api.result(id).get("studies").get(0).get("trials").get(0);
        assertThat(trial.get("attempts").asInt()).isEqualTo(2);
        assertThat(endings(api, trial)).containsExactly("expired", "reported");
        assertThat(killed.heartbeat(begun)).containsExactly(begun.leaseId());
    }

    @Test
    void aFinalIsLeasedAfterTheTimeOfTheBudget(Api api, Service service) {
        String body = """
                {"problems":[{"m":640,"n":384,"k":256}],"family":"toy","strategy":"random","budget":{"trials":1,"seconds":60},"device":"cuda"}""";
        api.post("/api/v1/jobs", body).expect(202);
        ScriptedWorker worker = ScriptedWorker.cuda(api, 0);
        Lease trial = worker.leaseOne();
        service.work(Duration.ofSeconds(61), worker, trial);
        worker.complete(trial, 1000);
        assertThat(worker.leaseOne().work()).isInstanceOf(Work.Final.class);
    }

    private static List<String> endings(Api api, JsonNode trial) {
        return api.get("/api/v1/trials/" + trial.get("id").asString())
                .expect(200)
                .get("leases")
                .valueStream()
                .map(lease -> lease.get("ending").asString())
                .toList();
    }

    /** A claim of a driver writes the row of the study twice. */
    @Test
    void aReportThatLeavesEnoughToDoWritesNoStudy(Api api, Service service) {
        String id = api.submit("simulated:h200", "random", 18, "640x384x256");
        ScriptedWorker worker = ScriptedWorker.simulated(api);
        List<Lease> leases = worker.lease(3);
        worker.complete(leases.getFirst(), 1000);
        String row = "select xmin from study";
        String before = service.jdbc().sql(row).query(String.class).single();
        worker.complete(leases.get(1), 1001);
        assertThat(service.jdbc().sql(row).query(String.class).single()).isEqualTo(before);
        worker.complete(leases.get(2), 1002);
        assertThat(worker.workOff(1003, 1)).isEqualTo(15);
        assertThat(api.job(id).get("state").asString()).isEqualTo("finished");
    }

    @Test
    void aLeaseNamesTheWholeSpaceWhateverTheUserLeftOut(Api api) {
        String body = """
                {"problems":[{"m":640,"n":384,"k":256}],"family":"toy","schedulers":["static"],"parameters":{"tileM":[64,256]},
                 "strategy":"exhaustive","device":"simulated:h200"}""";
        String id = api.post("/api/v1/jobs", body).expect(202).get("id").asString();
        ScriptedWorker worker = ScriptedWorker.simulated(api);
        Lease lease = worker.leaseOne();
        assertThat(lease.spaceHashes().get("toy"))
                .isEqualTo(new ToyFamily()
                        .space(lease.problem(), dev.tilewright.space.device.DeviceLimits.of(132))
                        .hash());
        worker.complete(lease, 9000);
        worker.workOff(1000, 1);
        JsonNode study = api.result(id).get("studies").get(0);
        assertThat(study.get("space").get("points").asInt()).isEqualTo(8);
        assertThat(study.get("counts").get("completed").asInt()).isEqualTo(6);
        assertThat(study.get("trials"))
                .allSatisfy(
                        trial -> assertThat(trial.get("config").get("scheduler").asString())
                                .isEqualTo("static"));
    }

    private static void refuse(ScriptedWorker worker, Lease lease, String reason) {
        worker.report(lease, new Report.Refused(lease.fence(), reason)).taken();
    }

    @Test
    void aRefusalGivesTheWorkBackAndCountsNoAttempt(Api api) {
        String id = api.submit("simulated:h200", "random", 1, "640x384x256");
        ScriptedWorker other = ScriptedWorker.simulated(api);
        ScriptedWorker able = ScriptedWorker.simulated(api);
        refuse(other, other.leaseOne(), "another build");
        Lease again = able.leaseOne();
        assertThat(((Work.Screen) again.work()).attempt()).isEqualTo(1);
        assertThat(again.fence()).isEqualTo(2);
        able.complete(again, 1000);
        assertThat(api.job(id).get("state").asString()).isEqualTo("finished");
    }

    @Test
    void aWorkerIsNotOfferedWhatItRefusedAndAnotherDoesIt(Api api) {
        String first = api.submit("simulated:h200", "random", 9, "640x384x256");
        ScriptedWorker other = ScriptedWorker.simulated(api);
        ScriptedWorker able = ScriptedWorker.simulated(api);
        List<Lease> leases = other.lease(3);
        leases.forEach(lease -> refuse(other, lease, "another build"));
        assertThat(other.lease(3)).isEmpty();
        assertThat(able.workOff(1000, 1)).isEqualTo(9);
        JsonNode trials = api.result(first).get("studies").get(0).get("trials");
        assertThat(trials).hasSize(9).allSatisfy(trial -> {
            assertThat(trial.get("outcome").asString()).isEqualTo("completed");
            assertThat(trial.get("attempts").asInt()).isEqualTo(1);
        });
        // Of another study nothing is known yet.
        api.submit("simulated:h200", "random", 1, "128x256x512");
        assertThat(other.lease(1)).hasSize(1);
    }

    @Test
    void aWorkerThatDidSomeOfAStudyIsOfferedItAgain(Api api) {
        String id = api.submit("simulated:h200", "random", 3, "640x384x256");
        ScriptedWorker worker = ScriptedWorker.simulated(api);
        worker.complete(worker.leaseOne(), 1000);
        refuse(worker, worker.leaseOne(), "the device is out of order");
        assertThat(worker.workOff(2000, 1)).isEqualTo(2);
        assertThat(api.job(id)
                        .get("studies")
                        .get(0)
                        .get("trials")
                        .get("completed")
                        .asInt())
                .isEqualTo(3);
    }

    @Test
    void aStudyThatEveryoneRefusesEndsWithTheReason(Api api) {
        String id = api.submit("simulated:h200", "random", 5, "640x384x256");
        ScriptedWorker first = ScriptedWorker.simulated(api);
        ScriptedWorker second = ScriptedWorker.simulated(api);
        // Neither could take it, whatever they think of it.
        ScriptedWorker.cuda(api, 0);
        List<Lease> leases = first.lease(2);
        refuse(first, leases.getFirst(), "space hash 1 is not 2");
        assertThat(api.job(id).get("state").asString()).isEqualTo("running");
        refuse(second, second.leaseOne(), "space hash 3 is not 2");
        // Dropped: the study is over.
        refuse(first, leases.getLast(), "space hash 1 is not 2");
        JsonNode study = api.job(id).get("studies").get(0);
        assertThat(study.get("state").asString()).isEqualTo("failed");
        assertThat(study.get("error").asString())
                .isEqualTo("every worker that may take it refused the work; the last one: space hash 3 is not 2");
    }

    @Test
    void anUnknownWorkerIsToldToRegisterAgain(Api api) {
        assertThat(api.work("/api/v1/leases", new LeaseRequest(UUID.randomUUID(), "cuda:0", 1, 0))
                        .problem(404)
                        .get("detail")
                        .asString())
                .startsWith("there is no worker ");
    }

    @Test
    void aDeviceThatWasNotRegisteredAndAnEmptyWishAreRefused(Api api) {
        ScriptedWorker worker = ScriptedWorker.simulated(api);
        assertThat(Api.errors(worker.work("/api/v1/leases", new LeaseRequest(worker.id(), "cuda:7", 1, 0))
                        .problem(422)))
                .containsExactly("/device: the worker has registered no device 'cuda:7'");
        assertThat(Api.errors(worker.work("/api/v1/leases", new LeaseRequest(worker.id(), "simulated:h200", 0, 0))
                        .problem(422)))
                .containsExactly("/max: must be from 1 to 256, got 0");
    }

    @Test
    void reportsThatMakeNoSenseAreRefusedAndChangeNothing(Api api) {
        api.submit("cuda", "random", 1, "640x384x256");
        ScriptedWorker worker = ScriptedWorker.cuda(api, 0);
        Lease lease = worker.leaseOne();
        Report empty = ScriptedWorker.failed(lease, TrialOutcome.COMPLETED, "");
        assertThat(Api.errors(worker.report(lease, empty).refused(422)))
                .containsExactly(
                        "/result/measurements: a completed trial has a sustained measurement",
                        "/result/errorRatio: a trial completed on a real GPU was verified");
        Report other =
                new Report.Finished(lease.fence(), new FinalResult(List.of(), List.of(), List.of(), List.of(), ""));
        assertThat(worker.report(lease, other).refused(422).get("detail").asString())
                .isEqualTo("/type: the lease is of a trial: report 'screened' or 'refused', got 'finished'");
        worker.complete(lease, 1000);
    }

    @Test
    void autoPrefersARealGpuForAsLongAsOneIsThere(Api api, Service service) {
        api.submit("auto", "random", 1, "640x384x256");
        ScriptedWorker simulated = ScriptedWorker.simulated(api);
        ScriptedWorker real = ScriptedWorker.cuda(api, 0);
        assertThat(simulated.lease(1)).isEmpty();
        service.clock().advance(TTL.plusSeconds(1));
        assertThat(simulated.lease(1)).hasSize(1);
        assertThat(real.lease(1)).isEmpty();
    }

    @Test
    void aSelectorWithANumberIsForThatDeviceAlone(Api api) {
        api.submit("cuda:1", "random", 1, "640x384x256");
        assertThat(ScriptedWorker.cuda(api, 0).lease(1)).isEmpty();
        assertThat(ScriptedWorker.cuda(api, 1).lease(1)).hasSize(1);
    }

    @Test
    void manyWorkersAtOnceNeverGetOneTrialTwiceAndLoseNone(Api api) throws Exception {
        String id = api.submit("simulated:h200", "exhaustive", 100, "640x384x256", "128x256x512", "72x88x96");
        List<Callable<List<UUID>>> workers = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            int each = i % 3 + 1;
            workers.add(() -> {
                ScriptedWorker worker = ScriptedWorker.simulated(api);
                List<UUID> done = new ArrayList<>();
                // Others may hold the last trials of a study for a moment: ask again until the job is over.
                while (!api.job(id).get("state").asString().equals("finished")) {
                    for (Lease lease : worker.lease(each)) {
                        worker.complete(lease, 1000 + done.size());
                        done.add(((Work.Screen) lease.work()).trialId());
                    }
                }
                return done;
            });
        }
        List<UUID> all = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<List<UUID>> worker : threads.invokeAll(workers)) {
                all.addAll(worker.get());
            }
        }
        Set<UUID> distinct = new HashSet<>(all);
        assertThat(all).hasSize(60).hasSameSizeAs(distinct);
        JsonNode result = api.result(id);
        for (JsonNode study : result.get("studies")) {
            assertThat(study.get("counts").get("completed").asInt()).isEqualTo(20);
            assertThat(study.get("trials")
                            .valueStream()
                            .filter(trial -> trial.get("outcome").asString().equals("completed")))
                    .allSatisfy(
                            trial -> assertThat(trial.get("attempts").asInt()).isEqualTo(1));
        }
    }
}
