package dev.tilewright.api.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.RunningService;
import dev.tilewright.api.testing.RunningService.Service;
import dev.tilewright.api.testing.ScriptedWorker;
import dev.tilewright.model.exchange.GpuTask;
import dev.tilewright.model.exchange.Lease;
import dev.tilewright.model.exchange.Report;
import dev.tilewright.model.exchange.Work;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.space.vendor.VendorSpace;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

/** Runs of gates, from the request to the verdict. */
@ExtendWith(RunningService.class)
class GateTest {

    private static String verdict(JsonNode of) {
        return of.get("verdict").asString();
    }

    private static boolean isSlowed(GpuTask.Compare task) {
        return task.first() instanceof GpuTask.Side.Own own && own.slowedBy() != null;
    }

    @Test
    void equalKernelsPassOnAnInstrumentThatCanTell(Api api, Service service) {
        GateScript gate = new GateScript(api, service);
        String id = gate.submit(
                ",\"commit\":\"4f1c2aa\",\"branch\":\"main\"", GateScript.gateCase("one"), GateScript.gateCase("two"));
        assertThat(gate.run(id).get("state").asString()).isEqualTo("queued");
        ScriptedWorker gpu = ScriptedWorker.cuda(api, 0);

        List<GpuTask.Compare> asked = gate.workOff(gpu, GateAnswers::asAsked);

        assertThat(asked).as("two cases and two sentinels").hasSize(4);
        assertThat(asked.stream().filter(GateTest::isSlowed)).hasSize(1);
        JsonNode run = gate.finished(id);
        assertThat(verdict(run)).as(run.toPrettyString()).isEqualTo("pass");
        assertThat(run.get("testbed").get("device").asString()).isEqualTo("NVIDIA H200");
        assertThat(run.get("cases"))
                .hasSize(2)
                .allSatisfy(each -> assertThat(verdict(each)).isEqualTo("pass"));
        assertThat(run.get("sentinels").valueStream().map(GateTest::verdict)).containsExactly("pass", "fail");
        assertThat(run.get("errorRates").get("caught").asInt()).isEqualTo(1);
        assertThat(run.get("commit").asString()).isEqualTo("4f1c2aa");
        assertThat(run.get("seed").asLong()).isEqualTo(7);
    }

    @Test
    void aSlowerKernelFailsInTwoProcessesWithOtherSeeds(Api api, Service service) {
        GateScript gate = new GateScript(api, service);
        String id = gate.submit("", GateScript.gateCase("one"));
        ScriptedWorker gpu = ScriptedWorker.cuda(api, 0);

        List<GpuTask.Compare> asked = gate.workOff(gpu, task -> GateAnswers.slower(task, isSlowed(task) ? 2 : 3));

        JsonNode run = gate.run(id);
        assertThat(asked.stream().map(GpuTask.Compare::seed).distinct())
                .as("a case twice, and two sentinels, of which one should be equal")
                .hasSize(4);
        assertThat(verdict(run)).as("the equal sentinel differs by 3 %").isEqualTo("inconclusive");
        assertThat(verdict(run.get("cases").get(0))).isEqualTo("fail");

        String again = gate.submit("", GateScript.gateCase("one"));
        asked = gate.workOff(
                gpu, task -> task.measureEqual() ? GateAnswers.asAsked(task) : GateAnswers.slower(task, 3));
        JsonNode failed = gate.finished(again);
        assertThat(verdict(failed)).isEqualTo("fail");
        assertThat(failed.get("cases").get(0).get("stages")).hasSize(2);
        assertThat(failed.get("cases").get(0).get("effect").get("percent").asDouble())
                .isBetween(2.8, 3.2);
        assertThat(failed.get("cases").get(0).get("retune").get("state").asString())
                .isEqualTo("unknown");
    }

    @Test
    void whatASecondProcessDoesNotConfirmIsInconclusive(Api api, Service service) {
        GateScript gate = new GateScript(api, service);
        String id = gate.submit("", GateScript.gateCase("one"));
        gate.workOff(
                ScriptedWorker.cuda(api, 0),
                task -> task.measureEqual()
                        ? GateAnswers.asAsked(task)
                        : GateAnswers.slower(task, task.freshProcess() ? 0 : 3));
        JsonNode run = gate.finished(id);
        assertThat(verdict(run)).isEqualTo("inconclusive");
        assertThat(run.get("cases").get(0).get("reason").asString()).contains("a second process does not confirm it");
    }

    @Test
    void peersAloneAreWatchedByAKernelOfOurs(Api api, Service service) {
        GateScript gate = new GateScript(api, service);
        String id = gate.submit(
                "",
                GateScript.gateCase(
                        "one", "{\"peer\":\"cublaslt\",\"algorithm\":\"3\"}", "{\"kernel\":{\"peer\":\"cublaslt\"}}"));

        List<GpuTask.Compare> asked = gate.workOff(ScriptedWorker.cuda(api, 0), GateAnswers::asAsked);

        assertThat(asked).hasSize(3);
        assertThat(asked.subList(1, 3))
                .as("a kernel of the family of the GPU, beside itself and beside its slowed twin")
                .allSatisfy(task -> {
                    assertThat(task.measureEqual()).isTrue();
                    assertThat(task.problem()).isEqualTo(asked.getFirst().problem());
                    assertThat(task.families()).containsOnly("sm90-gemm");
                    assertThat(((GpuTask.Side.Own) task.first()).config())
                            .isEqualTo(((GpuTask.Side.Own) task.second()).config());
                });
        assertThat(asked.stream().filter(GateTest::isSlowed)).hasSize(1);
        JsonNode run = gate.finished(id);
        assertThat(verdict(run)).as(run.toPrettyString()).isEqualTo("pass");
    }

    @Test
    void peersAloneOfAProblemThatNoFamilyTakesAreInconclusive(Api api, Service service) {
        GateScript gate = new GateScript(api, service);
        String id = gate.submit(
                "",
                GateScript.gateCase(
                                "one",
                                "{\"peer\":\"cublaslt\",\"algorithm\":\"3\"}",
                                "{\"kernel\":{\"peer\":\"cublaslt\"}}")
                        .replace("\"k\":256", "\"k\":253"));
        gate.workOff(ScriptedWorker.cuda(api, 0), GateAnswers::asAsked);
        JsonNode run = gate.finished(id);
        assertThat(verdict(run)).isEqualTo("inconclusive");
        assertThat(run.get("reason").asString()).contains("sentinel-equal was not timed");
    }

    @Test
    void unchangedBinariesCostNoGpuTime(Api api, Service service) {
        GateScript gate = new GateScript(api, service);
        String id = gate.submit("", GateScript.gateCase("one"), GateScript.gateCase("two"));
        List<GpuTask.Compare> asked = gate.workOff(ScriptedWorker.cuda(api, 0), GateAnswers::unchanged);
        assertThat(asked).as("no sentinels where nothing is timed").hasSize(2);
        JsonNode run = gate.finished(id);
        assertThat(verdict(run)).isEqualTo("unchanged_binary");
        assertThat(run.get("cases").get(0).get("stages").get(0).get("counted").asInt())
                .isZero();
    }

    @Test
    void blocksThatAreDoubtedDecideNothing(Api api, Service service) {
        GateScript gate = new GateScript(api, service);
        String id = gate.submit("", GateScript.gateCase("one"));
        gate.workOff(
                ScriptedWorker.cuda(api, 0),
                task -> task.measureEqual()
                        ? GateAnswers.asAsked(task)
                        : GateAnswers.doubted(task, "another process has used the GPU"));
        JsonNode run = gate.finished(id);
        assertThat(verdict(run)).isEqualTo("inconclusive");
        assertThat(run.get("cases").get(0).get("reason").asString()).contains("another process has used the GPU");
    }

    @Test
    void aGpuThatIsAnotherOneDecidesNothing(Api api, Service service) {
        GateScript gate = new GateScript(api, service);
        String id = gate.submit("", GateScript.gateCase("one"), GateScript.gateCase("two"));
        gate.workOff(
                ScriptedWorker.cuda(api, 0),
                task -> task.seed() == 9 ? GateAnswers.on("GPU-4567", task) : GateAnswers.asAsked(task));
        JsonNode run = gate.finished(id);
        assertThat(verdict(run)).isEqualTo("inconclusive");
        assertThat(run.get("cases").get(1).get("reason").asString())
                .contains("timed on GPU GPU-4567, the run is on GPU-0123");
    }

    @Test
    void whatIsAskedOfAGpuStopsByTheMarginsAndIsProved(Api api, Service service) {
        GateScript gate = new GateScript(api, service);
        gate.submit("", GateScript.gateCase("one").replaceFirst("\\{", "{\"margins\":{\"warn\":1,\"fail\":2},"));
        Lease lease = gate.lease(ScriptedWorker.cuda(api, 0));
        GpuTask.Compare task = GateScript.task(lease);
        assertThat(task.stop().thresholds().getLast())
                .as("the margin that fails, as a logarithm")
                .isCloseTo(Math.log(1.02), within(1e-9));
        assertThat(task.stop().looks()).containsExactly(10, 20, 40);
        assertThat(task.proved()).isTrue();
        assertThat(task.freshProcess()).isFalse();
    }

    @Test
    void aWrongKernelIsInvalidWithItsFinding(Api api, Service service) {
        GateScript gate = new GateScript(api, service);
        String id = gate.submit("", GateScript.gateCase("wrong"), GateScript.gateCase("right"));
        gate.workOff(
                ScriptedWorker.cuda(api, 0),
                task -> task.seed() == 7
                        ? GateAnswers.ended(task, TrialOutcome.MISMATCH, "element 4711 is 3.5, not 3.0")
                        : GateAnswers.asAsked(task));
        JsonNode run = gate.finished(id);
        assertThat(verdict(run)).isEqualTo("invalid");
        JsonNode wrong = run.get("cases").get(0);
        assertThat(verdict(wrong)).isEqualTo("invalid");
        assertThat(wrong.get("reason").asString())
                .isEqualTo("the candidate ended mismatch: element 4711 is 3.5, not 3.0");
        assertThat(wrong.get("candidate").get("outcome").asString()).isEqualTo("mismatch");
        assertThat(verdict(run.get("cases").get(1))).isEqualTo("pass");
    }

    @Test
    void allCasesRunOnTheGpuThatTookTheFirst(Api api, Service service) {
        GateScript gate = new GateScript(api, service);
        gate.submit("", GateScript.gateCase("one"), GateScript.gateCase("two"));
        ScriptedWorker first = ScriptedWorker.cuda(api, 0);
        ScriptedWorker other = ScriptedWorker.cuda(api, 1);
        Lease lease = gate.lease(first);
        assertThat(other.leaseNow(1)).as("the second case is for the first GPU").isEmpty();
        gate.report(first, lease, GateAnswers.asAsked(GateScript.task(lease)));
        assertThat(other.leaseNow(1)).isEmpty();
        ScriptedWorker restarted = ScriptedWorker.cuda(api, 0);
        assertThat(restarted.leaseNow(1))
                .as("the same GPU of a worker that was started anew")
                .hasSize(1);
    }

    @Test
    void whatAKernelMayBreakIsToldToTheEmulator(Api api, Service service) {
        GateScript gate = new GateScript(api, service);
        String id = gate.submit(
                "",
                GateScript.gateCase("one").replace("\"candidate\"", "\"accept\":[\"cluster-scope\"],\"candidate\""),
                GateScript.gateCase("two"));
        List<GpuTask.Compare> asked = gate.workOff(ScriptedWorker.cuda(api, 0), GateAnswers::asAsked);
        assertThat(gate.finished(id).get("cases").get(0).get("accept").get(0).asString())
                .isEqualTo("cluster-scope");
        assertThat(asked.stream().filter(task -> !task.measureEqual()).map(GpuTask.Compare::accept))
                .contains(List.of("cluster-scope"), List.of());
    }

    /** As of all kernels: nothing is measured on a model, and no model is asked for those of a library. */
    @Test
    void anAlgorithmOfALibraryIsGatedAsAnyKernelIs(Api api, Service service) {
        GateScript gate = new GateScript(api, service);
        String config = new VendorSpace()
                .promising(Problem.of(new ProblemShape(640, 384, 256), DataType.BF16), 1)
                .findFirst()
                .map(each -> api.mapper().writeValueAsString(each.values()))
                .orElseThrow();
        String algorithm = GateScript.gateCase(
                "one", "{\"family\":\"cublaslt\",\"config\":" + config + "}", "{\"kernel\":{\"peer\":\"cublaslt\"}}");
        JsonNode run = gate.finished(gate.submit(",\"device\":\"simulated:h200\"", algorithm));
        assertThat(verdict(run)).isEqualTo("inconclusive");
        assertThat(run.get("reason").asString()).isEqualTo("nothing was measured: simulated:h200 is a model");
        gate.submit("", algorithm);
        gate.look();
        assertThat(ScriptedWorker.cuda(api, 0).leaseNow(4))
                .extracting(lease -> ((GpuTask.Compare) ((Work.Run) lease.work()).task()).first())
                .contains(new GpuTask.Side.Own(
                        "cublaslt",
                        new VendorSpace()
                                .promising(Problem.of(new ProblemShape(640, 384, 256), DataType.BF16), 1)
                                .findFirst()
                                .orElseThrow()));
    }

    @Test
    void aRunOnAModelEndsAtOnceInconclusive(Api api, Service service) {
        GateScript gate = new GateScript(api, service);
        String id = gate.submit(",\"device\":\"simulated:h200\"", GateScript.gateCase("one"));
        JsonNode run = gate.finished(id);
        assertThat(verdict(run)).isEqualTo("inconclusive");
        assertThat(run.get("reason").asString()).isEqualTo("nothing was measured: simulated:h200 is a model");
        gate.look();
        assertThat(ScriptedWorker.cuda(api, 0).leaseNow(4)).isEmpty();
    }

    @Test
    void aCaseOfALostWorkerIsMeasuredAgainWholeByWhoeverOffersTheGpuNext(Api api, Service service) {
        GateScript gate = new GateScript(api, service);
        String id = gate.submit("", GateScript.gateCase("one"));
        ScriptedWorker dead = ScriptedWorker.cuda(api, 0);
        Lease lost = gate.lease(dead);
        service.silence(java.time.Duration.ofSeconds(16));

        List<GpuTask.Compare> asked = gate.workOff(ScriptedWorker.cuda(api, 0), GateAnswers::asAsked);
        dead.report(lost, new Report.Ran(lost.fence(), GateAnswers.slower(GateScript.task(lost), 3)))
                .refused(409);
        assertThat(asked.getFirst()).isEqualTo(GateScript.task(lost));
        JsonNode run = gate.finished(id);
        assertThat(verdict(run)).as(run.toPrettyString()).isEqualTo("pass");
        assertThat(run.get("cases").get(0).get("stages")).hasSize(1);
    }

    @Test
    void theBudgetEndsWhatDoesNotFit(Api api, Service service) {
        GateScript gate = new GateScript(api, service);
        String id = gate.submit(
                ",\"budgetSeconds\":25",
                GateScript.gateCase("one"),
                GateScript.gateCase("two"),
                GateScript.gateCase("three"),
                GateScript.gateCase("four"));
        gate.workOff(ScriptedWorker.cuda(api, 0), task -> {
            service.clock().advance(java.time.Duration.ofSeconds(5));
            return GateAnswers.asAsked(task);
        });
        JsonNode run = gate.finished(id);
        assertThat(verdict(run)).isEqualTo("inconclusive");
        assertThat(run.get("gpuSeconds").asDouble())
                .as("three cases and two sentinels of 5 s each")
                .isEqualTo(25);
        assertThat(run.get("reason").asString()).startsWith("four: not measured");
        JsonNode last = run.get("cases").get(3);
        assertThat(verdict(last)).isEqualTo("inconclusive");
        assertThat(last.get("reason").asString()).startsWith("not measured: the budget of 25.0 s of GPU time");
        assertThat(verdict(run.get("cases").get(0))).isEqualTo("pass");
    }

    @Test
    void aGpuThatNobodyOffersEndsTheRunWithTheReason(Api api, Service service) {
        GateScript gate = new GateScript(api, service);
        String id = gate.submit(",\"device\":\"cuda:3\"", GateScript.gateCase("one"));
        ScriptedWorker.cuda(api, 0);
        gate.look();
        service.silence(java.time.Duration.ofMinutes(9));
        gate.look();
        assertThat(gate.run(id).get("state").asString()).isEqualTo("queued");
        service.silence(java.time.Duration.ofMinutes(2));
        gate.look();
        JsonNode failed = gate.run(id);
        assertThat(failed.get("state").asString()).isEqualTo("failed");
        assertThat(failed.get("error").asString())
                .isEqualTo("no live worker has offered a GPU that device 'cuda:3' accepts for 10 minutes");
        assertThat(failed.has("verdict")).isFalse();
        assertThat(ScriptedWorker.cuda(api, 3).leaseNow(1))
                .as("its task is gone")
                .isEmpty();
    }

    @Test
    void aCancelledRunIsOver(Api api, Service service) {
        GateScript gate = new GateScript(api, service);
        String id = gate.submit("", GateScript.gateCase("one"));
        ScriptedWorker gpu = ScriptedWorker.cuda(api, 0);
        Lease lease = gate.lease(gpu);
        JsonNode cancelled = api.post("/api/v1/gate-runs/" + id + "/cancel", "").expect(200);
        assertThat(cancelled.get("state").asString()).isEqualTo("cancelled");
        assertThat(gpu.heartbeat(lease)).containsExactly(lease.leaseId());
        gate.report(gpu, lease, GateAnswers.asAsked(GateScript.task(lease)));
        assertThat(gpu.leaseNow(1)).isEmpty();
        assertThat(gate.run(id).get("state").asString()).isEqualTo("cancelled");
        assertThat(api.post("/api/v1/gate-runs/" + id + "/cancel", "")
                        .expect(200)
                        .get("state")
                        .asString())
                .isEqualTo("cancelled");
    }

    @Test
    void listsAndCandidatesNameWhatRan(Api api, Service service) {
        GateScript gate = new GateScript(api, service);
        String id = gate.submit(",\"commit\":\"4f1c2aa\",\"branch\":\"main\"", GateScript.gateCase("one"));
        String other = gate.submit(",\"branch\":\"topic\"", GateScript.gateCase("one"));
        api.get(GateScript.GATE + "/candidates?commit=4f1c2aa").problem(404);
        ScriptedWorker gpu = ScriptedWorker.cuda(api, 0);
        gate.workOff(gpu, GateAnswers::asAsked);
        gate.workOff(gpu, GateAnswers::asAsked);

        JsonNode all = api.get(GateScript.GATE + "/runs").expect(200).get("items");
        assertThat(all.valueStream().map(run -> run.get("id").asString())).containsExactly(other, id);
        assertThat(all.get(1).get("measured").asInt()).isEqualTo(1);
        JsonNode main = api.get(GateScript.GATE + "/runs?branch=main&state=finished&verdict=pass")
                .expect(200)
                .get("items");
        assertThat(main).hasSize(1);
        JsonNode first = api.get(GateScript.GATE + "/runs?limit=1").expect(200);
        JsonNode second = api.get(GateScript.GATE + "/runs?limit=1&cursor="
                        + first.get("next").asString())
                .expect(200);
        assertThat(second.get("items").get(0).get("id").asString()).isEqualTo(id);
        assertThat(api.get("/api/v1/gates")
                        .expect(200)
                        .get("items")
                        .get(0)
                        .get("id")
                        .asString())
                .isEqualTo(other);
        JsonNode candidate = api.get(GateScript.GATE + "/candidates?commit=4f1c2aa")
                .expect(200)
                .get("items")
                .get(0);
        assertThat(candidate.get("case").asString()).isEqualTo("one");
        assertThat(candidate.get("kernel").get("family").asString()).isEqualTo("toy");
        assertThat(candidate.get("run").asString()).isEqualTo(id);
        assertThat(Api.errors(api.get(GateScript.GATE + "/runs?state=done").problem(422)))
                .containsExactly("state: unknown state 'done'; known: queued, running, finished, failed, cancelled");
    }

    @Test
    void aRunIsSubmittedOnceForAKey(Api api, Service service) {
        String body = GateScript.body("", GateScript.gateCase("one"));
        String first = api.post(GateScript.GATE + "/runs", body, "Idempotency-Key", "k")
                .expect(202)
                .get("id")
                .asString();
        assertThat(api.post(GateScript.GATE + "/runs", body, "Idempotency-Key", "k")
                        .expect(202)
                        .get("id")
                        .asString())
                .isEqualTo(first);
        assertThat(Api.errors(api.post("/api/v1/gates/other/runs", body, "Idempotency-Key", "k")
                        .problem(422)))
                .containsExactly("Idempotency-Key: was used for another payload, which made gate run " + first);
    }
}
