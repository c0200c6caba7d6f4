package dev.tilewright.api.study.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tilewright.api.platform.database.ConnectionPool;
import dev.tilewright.api.platform.database.Pools;
import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.Awaiting;
import dev.tilewright.api.testing.RunningService;
import dev.tilewright.api.testing.RunningService.Service;
import dev.tilewright.api.testing.ScriptedWorker;
import dev.tilewright.model.exchange.FinalResult;
import dev.tilewright.model.exchange.Lease;
import dev.tilewright.model.exchange.PeerSearch;
import dev.tilewright.model.exchange.Report;
import dev.tilewright.model.exchange.TrialResult;
import dev.tilewright.model.exchange.Work;
import dev.tilewright.model.problem.Scenario;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import dev.tilewright.model.trial.Discard;
import dev.tilewright.model.trial.Measurement;
import dev.tilewright.model.trial.Mode;
import dev.tilewright.model.trial.Question;
import dev.tilewright.model.trial.Ratio;
import dev.tilewright.model.trial.Stage;
import dev.tilewright.model.trial.TrialOutcome;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

@ExtendWith(RunningService.class)
class FinalTest {

    private static final PeerSearch SEARCH = new PeerSearch("cublaslt", 3, 2.9, 812, 640, 97, 88, 1, 2, "");

    private static final Config DEFAULT = Config.of(Map.of("algorithm", ParameterValue.of(0)));
    private static final Config OTHER = Config.of(Map.of("algorithm", ParameterValue.of(5)));

    /** Screens everything and returns the lease of the final. */
    private static Lease reachFinal(ScriptedWorker worker) {
        List<Lease> leases = worker.lease(1);
        int done = 0;
        while (leases.getFirst().work() instanceof Work.Screen) {
            worker.complete(leases.getFirst(), 2000 - 5 * done++);
            leases = worker.lease(1);
        }
        return leases.getFirst();
    }

    private static Report.Arm arm(
            Lease lease, String name, Work.@Nullable Contender ours, Config config, double medianNs) {
        return new Report.Arm(
                name,
                ours == null ? null : ours.trialId(),
                ours == null ? "cublaslt" : "toy",
                config,
                TrialOutcome.COMPLETED,
                0.5,
                List.of(
                        ScriptedWorker.measurement(lease, Mode.SUSTAINED, Stage.FINAL, medianNs, true),
                        ScriptedWorker.measurement(lease, Mode.COLD, Stage.FINAL, medianNs * 1.2, true)),
                "");
    }

    private static Report.Block block(
            Stage stage, Question question, int index, String arm, @Nullable Double clockMhz) {
        return new Report.Block(stage, question, Mode.SUSTAINED, index, 1, arm, 1300, clockMhz, 698.5, 61.0, 4);
    }

    /** Times of those that reach the final; the others left in the race. */
    private static Report.Finished finished(Lease lease) {
        List<Report.Arm> arms = new ArrayList<>();
        List<Report.ArmRatio> ratios = new ArrayList<>();
        Work.Final work = (Work.Final) lease.work();
        List<Work.Contender> finalists = work.contenders()
                .subList(0, Math.min(work.finalists(), work.contenders().size()));
        for (int i = 0; i < finalists.size(); i++) {
            Work.Contender finalist = finalists.get(i);
            String name = finalist.trialId().toString();
            // The second of the screen wins the final.
            double medianNs = i == 1 ? 1000 : 1100 + i;
            arms.add(arm(lease, name, finalist, finalist.config(), medianNs));
            ratios.add(new Report.ArmRatio(name, "default", Mode.SUSTAINED, new Ratio(1300 / medianNs, 1.0, 1.4, 5)));
            ratios.add(new Report.ArmRatio(name, "default", Mode.COLD, new Ratio(9, 8, 10, 5)));
            ratios.add(new Report.ArmRatio(name, "other", Mode.SUSTAINED, new Ratio(1050 / medianNs, 0.9, 1.1, 5)));
        }
        for (Work.Contender left :
                work.contenders().subList(finalists.size(), work.contenders().size())) {
            arms.add(new Report.Arm(
                    left.trialId().toString(),
                    left.trialId(),
                    "toy",
                    left.config(),
                    TrialOutcome.COMPLETED,
                    0.5,
                    List.of(ScriptedWorker.measurement(lease, Mode.SUSTAINED, Stage.CONTEND, 500, true)),
                    "left in the race"));
        }
        arms.add(arm(lease, "default", null, DEFAULT, 1300));
        arms.add(arm(lease, "other", null, OTHER, 1050));
        List<Report.Block> blocks = List.of(
                block(Stage.CONTEND, Question.SAME_CLOCK, 0, "other", 1755.0),
                block(Stage.FINAL, Question.STEADY_STATE, 0, "default", 1755.0),
                block(Stage.FINAL, Question.STEADY_STATE, 1, "default", null),
                block(Stage.FINAL, Question.STEADY_STATE, 7, arms.get(1).name(), 1620.0));
        Discard discard = new Discard(Stage.FINAL, Question.STEADY_STATE, Mode.SUSTAINED, 1, "power brake");
        return new Report.Finished(
                lease.fence(),
                new FinalResult(arms, ratios, blocks, List.of(discard), Map.of(), "five blocks")
                        .searched(List.of(SEARCH)));
    }

    /**
     * A GPU on which somebody else computes all the time: named in the document and on the page, and nothing is best.
     */
    @Test
    void afterAFinalBesideSomebodyWhoComputesNothingIsBest(Api api) {
        String id = api.submit("cuda", "exhaustive", 100, "704x384x256");
        ScriptedWorker worker = ScriptedWorker.cuda(api, 0);
        Lease lease = reachFinal(worker);
        String neighbour = "process 500 (python3) is on the GPU too and holds 682 MiB of its memory";
        String computed = "process 500 (python3) computed on the GPU too";
        Report.Finished good = finished(lease);
        List<Report.Arm> noisy = good.result().arms().stream()
                .map(arm -> new Report.Arm(
                        arm.name(),
                        arm.trialId(),
                        arm.family(),
                        arm.config(),
                        TrialOutcome.NOISE,
                        0.5,
                        List.of(),
                        "more than a fifth of the sustained blocks had to be discarded (" + computed
                                + ")\n0 blocks were undisturbed"))
                .toList();
        Discard discard = new Discard(Stage.FINAL, Question.STEADY_STATE, Mode.SUSTAINED, 0, computed);
        FinalResult result =
                new FinalResult(noisy, List.of(), List.of(), List.of(discard), "").beside(List.of(neighbour));

        worker.report(lease, new Report.Finished(lease.fence(), result)).taken();

        JsonNode study = api.result(id).get("studies").get(0);
        assertThat(api.job(id).get("state").asString()).isEqualTo("failed");
        assertThat(study.get("best").isNull()).isTrue();
        assertThat(study.get("noise").asString())
                .isEqualTo("more than a fifth of the sustained blocks had to be discarded (" + computed
                        + "); 0 blocks were undisturbed");
        assertThat(study.get("neighbours").get(0).asString()).isEqualTo(neighbour);
        assertThat(api.get("/studies/" + study.get("id").asString()).text())
                .contains(
                        "noise: more than a fifth of the sustained blocks", "process 500 (python3) is on the GPU too");
        assertThat(api.get("/api/v1/best?shape=704x384x256&dtype=bf16&testbed=h200&family=toy")
                        .expect(200)
                        .get("items"))
                .isEmpty();
    }

    @Test
    void theBestDifferentKernelsRaceAndThoseThatAreLeftMeetThePeers(Api api, Service service) {
        String id = api.submit("cuda", "exhaustive", 100, "640x384x256");
        ScriptedWorker worker = ScriptedWorker.cuda(api, 0);
        Lease lease = reachFinal(worker);
        Work.Final work = (Work.Final) lease.work();
        assertThat(work.peers()).containsExactly("cublaslt");
        assertThat(work.finalists()).isEqualTo(3);
        assertThat(work.peerSeconds()).isEqualTo(PeerSearch.DEFAULT_SECONDS);
        assertThat(work.anchor()).isNotNull();
        Set<Config> kernels = new HashSet<>();
        work.contenders().forEach(contender -> kernels.add(contender.config()));
        assertThat(kernels).as("all of the space").hasSameSizeAs(work.contenders());
        assertThat(kernels).hasSize(20);
        assertThat(stage(api, lease)).isEqualTo("race");
        untilRaced(api, worker, lease);
        JsonNode before = api.job(id);
        assertThat(before.get("state").asString()).isEqualTo("running");
        assertThat(api.result(id).get("studies").get(0).get("best").isNull()).isTrue();

        worker.report(lease, finished(lease)).taken();
        worker.report(lease, finished(lease)).taken();

        JsonNode study = api.result(id).get("studies").get(0);
        assertThat(api.job(id).get("state").asString()).isEqualTo("finished");
        assertThat(study.get("best").get("id").asString())
                .isEqualTo(work.contenders().get(1).trialId().toString());
        assertThat(study.get("best").get("stage").asString()).isEqualTo("final");
        assertThat(study.get("best").get("kind").asString()).isEqualTo("cuda");
        assertThat(study.get("best").get("medianNs").asDouble()).isEqualTo(1000);
        assertThat(study.get("ratioToDefault").asDouble()).isCloseTo(1.3, within(1e-12));
        assertThat(study.get("ratioToDefaultCi").valueStream().map(JsonNode::asDouble))
                .containsExactly(1.0, 1.4);
        assertThat(study.get("ratioToBestPeer").asDouble()).isCloseTo(1.05, within(1e-12));
        assertThat(study.get("peers")).hasSize(2);
        assertThat(study.get("peerSearches").get(0).get("tried").asInt()).isEqualTo(812);
        assertThat(study.get("peerSearches").get(0).get("joined").asInt()).isEqualTo(2);
        assertThat(api.get("/studies/" + study.get("id").asString()).text())
                .contains(
                        "search of cublaslt: 812 algorithms tried, 640 valid, 97 kernels told apart, 88 timed, 1 dropped,"
                                + " 2 joined the race; 2.9 s of 3.0 s");
        assertThat(study.get("peers").get(0).get("tflops").asDouble()).isPositive();
        JsonNode winner = study.get("trials")
                .valueStream()
                .filter(trial -> trial.get("id").equals(study.get("best").get("id")))
                .findFirst()
                .orElseThrow();
        assertThat(winner.get("measurements")).hasSize(3);
        assertThat(winner.get("tflops").asDouble())
                .isEqualTo(study.get("best").get("tflops").asDouble());
        assertThat(service.jdbc()
                        .sql("select count(*) from final_block")
                        .query(Integer.class)
                        .single())
                .isEqualTo(4);
        assertThat(api.get("/trials/" + winner.get("id").asString()).text())
                .contains("Each block of its races and its final: 1<", ">steady state<", ">1620 MHz<");
        assertThat(service.jdbc()
                        .sql("select power_watts from final_block where stage = 'contend' and question = 'same_clock'")
                        .query(Double.class)
                        .single())
                .isEqualTo(698.5);
        assertThat(study.get("discards")).hasSize(1);
        assertThat(study.get("discards").get(0).get("reason").asString()).isEqualTo("power brake");
        assertThat(study.get("discards").get(0).get("question").asString()).isEqualTo("steady_state");
        assertThat(study.get("anchor").isObject()).isTrue();

        JsonNode best = api.get("/api/v1/best?shape=640x384x256&dtype=bf16&testbed=h200&family=toy")
                .expect(200);
        assertThat(best.get("items")).hasSize(1);
        assertThat(best.get("items").get(0).get("config"))
                .isEqualTo(study.get("best").get("config"));
        assertThat(best.get("note").asString()).contains("simulated results are never served");
        JsonNode equals = best.get("items").get(0).get("equivalent");
        assertThat(equals.get(0).get("trialId")).isEqualTo(study.get("best").get("id"));
        assertThat(equals.get(0).get("config")).isEqualTo(study.get("best").get("config"));
        double high = best.get("items").get(0).get("ciHighNs").asDouble();
        assertThat(equals.valueStream().map(equal -> equal.get("ciLowNs").asDouble()))
                .allSatisfy(low -> assertThat(low).isLessThanOrEqualTo(high));
        assertThat(best.get("nearest").isNull()).isTrue();

        JsonNode nearest = api.get("/api/v1/best?shape=1280x384x128&nearest=true&dtype=bf16")
                .expect(200);
        assertThat(nearest.get("nearest").toString())
                .isEqualTo("{\"asked\":\"1280x384x128\",\"shape\":\"640x384x256\",\"factor\":4.0}");
        assertThat(nearest.get("items")).isEqualTo(best.get("items"));
        assertThat(api.get("/api/v1/best?shape=640x384x256&nearest=true")
                        .expect(200)
                        .get("nearest")
                        .isNull())
                .isTrue();
        assertThat(api.get("/api/v1/best?shape=1280x384x128&nearest=true&dtype=f16")
                        .expect(200)
                        .get("items"))
                .isEmpty();
        assertThat(api.get("/api/v1/best?shape=640x384x257").expect(200).get("items"))
                .isEmpty();
        assertThat(api.get("/api/v1/best?testbed=B200").expect(200).get("items"))
                .isEmpty();
        assertThat(api.get("/api/v1/best?dtype=f16").expect(200).get("items")).isEmpty();
    }

    @Test
    void theBestOfABusyScenarioIsThatOfItsStudyAndOfNoOtherQuestion(Api api) {
        String body = """
                {"problems":[{"m":640,"n":384,"k":256},{"m":640,"n":384,"k":256,"scenario":{"busySms":16}}],"family":"toy",
                "strategy":"exhaustive","budget":{"finalists":3},"device":"cuda"}""";
        String id = api.post("/api/v1/jobs", body).expect(202).get("id").asString();
        ScriptedWorker worker = ScriptedWorker.cuda(api, 0);
        Lease quiet = reachFinal(worker);
        worker.report(quiet, finished(quiet)).taken();
        Lease busy = reachFinal(worker);
        assertThat(quiet.problem().scenario().busySms()).isZero();
        assertThat(busy.problem().scenario().busySms()).isEqualTo(16);
        worker.report(busy, finished(busy)).taken();

        JsonNode studies = api.result(id).get("studies");
        assertThat(studies.valueStream()
                        .map(study -> study.at("/problem/scenario/busySms").asInt()))
                .containsExactly(0, 16);
        assertThat(studies.get(1).get("best").isNull()).isFalse();
        assertThat(studies.get(1).get("ratioToBestPeer").asDouble()).isCloseTo(1.05, within(1e-12));
        assertThat(api.get("/api/v1/best?shape=640x384x256").expect(200).get("items"))
                .singleElement()
                .satisfies(item ->
                        assertThat(item.get("studyId")).isEqualTo(studies.get(0).get("id")));
    }

    @Test
    void launchesThatOverlapAreAScenarioWhoseBestIsThatOfItsStudyAlone(Api api) {
        String body = """
                {"problems":[{"m":640,"n":384,"k":256},{"m":640,"n":384,"k":256,"scenario":{"launchOverlap":true}}],
                "family":"toy","strategy":"exhaustive","device":"cuda"}""";
        String id = api.post("/api/v1/jobs", body).expect(202).get("id").asString();
        ScriptedWorker worker = ScriptedWorker.cuda(api, 0);
        Lease ordinary = reachFinal(worker);
        worker.report(ordinary, finished(ordinary)).taken();
        Lease overlapped = reachFinal(worker);
        assertThat(ordinary.problem().scenario()).isEqualTo(Scenario.QUIET);
        assertThat(overlapped.problem().scenario()).isEqualTo(Scenario.QUIET.overlapping());
        worker.report(overlapped, finished(overlapped)).taken();

        JsonNode studies = api.result(id).get("studies");
        assertThat(studies.get(0).at("/problem/scenario").has("launchOverlap")).isFalse();
        assertThat(studies.get(1).at("/problem/scenario/launchOverlap").asBoolean())
                .isTrue();
        assertThat(studies.get(1).get("best").isNull()).isFalse();
        assertThat(api.get("/api/v1/best?shape=640x384x256").expect(200).get("items"))
                .singleElement()
                .satisfies(item ->
                        assertThat(item.get("studyId")).isEqualTo(studies.get(0).get("id")));
        assertThat(api.get("/api/v1/best?shape=640x384x256&overlap=true&testbed=H200")
                        .expect(200)
                        .get("items"))
                .singleElement()
                .satisfies(item -> {
                    assertThat(item.get("studyId")).isEqualTo(studies.get(1).get("id"));
                    assertThat(item.at("/problem/scenario/launchOverlap").asBoolean())
                            .isTrue();
                });
        for (String other : List.of("batch=2", "types=bf16,bf16,f32", "major=m,k", "overlap=true&testbed=B200")) {
            assertThat(api.get("/api/v1/best?shape=640x384x256&" + other)
                            .expect(200)
                            .get("items"))
                    .isEmpty();
        }
        // These say what is usual.
        assertThat(api.get("/api/v1/best?shape=640x384x256&types=bf16,bf16,bf16&major=k,k&batch=1")
                        .expect(200)
                        .get("items"))
                .singleElement()
                .satisfies(item ->
                        assertThat(item.get("studyId")).isEqualTo(studies.get(0).get("id")));
    }

    /** A group is a sum of shapes, with a plus sign that is written out or not. */
    @Test
    void theBestOfAGroupIsAskedForByItsShapes(Api api) {
        String body = """
                {"problems":[{"groups":[{"m":640,"n":384,"k":256},{"m":128,"n":256,"k":512}],"batch":2,"dtype":"bf16"}],
                "family":"toy","strategy":"exhaustive","device":"cuda"}""";
        String id = api.post("/api/v1/jobs", body).expect(202).get("id").asString();
        ScriptedWorker worker = ScriptedWorker.cuda(api, 0);
        Lease lease = reachFinal(worker);
        worker.report(lease, finished(lease)).taken();
        JsonNode study = api.result(id).get("studies").get(0);
        for (String plus : List.of("%2B", "+")) {
            assertThat(api.get("/api/v1/best?shape=640x384x256" + plus + "128x256x512&batch=2")
                            .expect(200)
                            .get("items"))
                    .singleElement()
                    .satisfies(item -> assertThat(item.get("trialId")).isEqualTo(study.at("/best/id")));
        }
        assertThat(api.get("/api/v1/best?shape=640x384x256%2B128x256x512")
                        .expect(200)
                        .get("items"))
                .isEmpty();
    }

    @Test
    void whatIsNoProblemHasNoBest(Api api) {
        for (String[] wrong : new String[][] {
            {"types=bf16", "shape: is missing: types, layouts, batch and overlap are of one problem"},
            {"shape=8x8x8&types=bf16", "types: must be the types of A, B and D, such as e4m3,e5m2,bf16, got 'bf16'"},
            {
                "shape=8x8x8&types=bf16,bf16,bf16&dtype=bf16",
                "types: give either dtype or types, got bf16 and bf16,bf16,bf16"
            },
            {"shape=8x8x8&major=n,k", "major: major.a must be k or m: A is M x K, got n"},
            {"shape=8x8x8&major=q,k", "major: unknown dimension 'q'; known: m, n, k"},
            {"shape=8x8x8&batch=0", "batch: batch must be at least 1, got 0"}
        }) {
            assertThat(Api.errors(api.get("/api/v1/best?" + wrong[0]).problem(400)))
                    .containsExactly(wrong[1]);
        }
    }

    /** A study that somebody holds at the moment is left to the next heartbeat. */
    private static void untilRaced(Api api, ScriptedWorker worker, Lease lease) {
        Awaiting.until(() -> {
            worker.raced(lease);
            return stage(api, lease).equals("final");
        });
    }

    private static String stage(Api api, Lease lease) {
        return api.get("/api/v1/studies/" + lease.studyId())
                .expect(200)
                .get("stage")
                .asString();
    }

    private static long finalsBegun(Service service) {
        return service.jdbc()
                .sql("select count(*) from event where type = 'study.final'")
                .query(Long.class)
                .single();
    }

    @Test
    void aRaceIsOverOnceForItsWorkerAndBeginsAnewForTheNext(Api api, Service service) {
        String id = api.submit("cuda", "exhaustive", 100, "640x384x256");
        ScriptedWorker worker = ScriptedWorker.cuda(api, 0);
        Lease screen = worker.leaseOne();
        worker.raced(screen);
        assertThat(stage(api, screen)).as("a trial has no race").isEqualTo("sweep");
        worker.complete(screen, 3000);

        Lease lease = reachFinal(worker);
        ScriptedWorker.cuda(api, 1).raced(lease);
        assertThat(stage(api, lease))
                .as("said by a worker that does not hold it")
                .isEqualTo("race");
        untilRaced(api, worker, lease);
        worker.raced(lease);
        assertThat(finalsBegun(service)).isEqualTo(1);
        assertThat(api.get("/studies/" + lease.studyId()).text()).contains("at the final");

        worker.report(lease, new Report.Refused(lease.fence(), "worker is stopping"))
                .taken();
        assertThat(stage(api, lease)).isEqualTo("race");
        Lease again = worker.leaseOne();
        untilRaced(api, worker, again);
        worker.report(again, finished(again)).taken();
        worker.raced(again);
        assertThat(api.job(id).get("state").asString()).isEqualTo("finished");
        assertThat(finalsBegun(service)).isEqualTo(2);
    }

    @Test
    void aFinalistThatIsWrongOnFreshDataIsNeverBest(Api api) {
        String id = api.submit("cuda", "exhaustive", 100, "640x384x256");
        ScriptedWorker worker = ScriptedWorker.cuda(api, 0);
        Lease lease = reachFinal(worker);
        Work.Contender first = ((Work.Final) lease.work()).contenders().getFirst();
        Report.Arm wrong = new Report.Arm(
                "first",
                first.trialId(),
                "toy",
                first.config(),
                TrialOutcome.MISMATCH,
                7.5,
                List.of(),
                "row 3 is wrong");
        worker.report(
                        lease,
                        new Report.Finished(
                                lease.fence(), new FinalResult(List.of(wrong), List.of(), List.of(), List.of(), "")))
                .taken();
        JsonNode study = api.result(id).get("studies").get(0);
        assertThat(study.get("best").isNull()).isTrue();
        assertThat(study.get("error").asString()).startsWith("no finalist completed the final");
        JsonNode trial = api.get("/api/v1/trials/" + first.trialId()).expect(200);
        assertThat(trial.get("outcome").asString()).isEqualTo("mismatch");
        assertThat(trial.get("errorRatio").asDouble()).isEqualTo(7.5);
        assertThat(trial.get("log").asString()).isEqualTo("in the final: row 3 is wrong");
        assertThat(api.get("/api/v1/best").expect(200).get("items")).isEmpty();
    }

    @Test
    void aFinalIsRunAgainAfterALostWorkerAndGivenUpAfterThree(Api api, Service service) {
        String id = api.submit("cuda", "random", 2, "640x384x256");
        ScriptedWorker worker = ScriptedWorker.cuda(api, 0);
        Lease lease = reachFinal(worker);
        for (int i = 2; i <= 3; i++) {
            service.silence(Duration.ofSeconds(15));
            Lease again = worker.leaseOne();
            assertThat(again.fence()).isEqualTo(i);
            assertThat(again.work()).isEqualTo(lease.work());
        }
        worker.report(lease, finished(lease)).refused(409);
        service.silence(Duration.ofSeconds(15));
        assertThat(worker.lease(1)).isEmpty();
        JsonNode study = api.job(id).get("studies").get(0);
        assertThat(study.get("state").asString()).isEqualTo("failed");
        assertThat(study.get("error").asString())
                .isEqualTo("the final could not be run: 3 workers were lost while they held this");
    }

    @Test
    void aFinalReportIsCheckedBeforeAnythingIsStored(Api api) {
        api.submit("cuda", "random", 1, "640x384x256");
        ScriptedWorker worker = ScriptedWorker.cuda(api, 0);
        Lease lease = reachFinal(worker);
        Report.Finished nonsense = new Report.Finished(
                lease.fence(),
                new FinalResult(
                        List.of(arm(lease, "a", null, DEFAULT, 10), arm(lease, "a", null, OTHER, 10)),
                        List.of(new Report.ArmRatio("a", "b", Mode.COLD, new Ratio(1, 1, 1, 5))),
                        List.of(new Report.Block(
                                Stage.FINAL, Question.STEADY_STATE, Mode.COLD, 0, 0, "c", 0, null, null, null, 0)),
                        List.of(),
                        ""));
        assertThat(Api.errors(worker.report(lease, nonsense).refused(422)))
                .containsExactly(
                        "/arms/1/name: two arms are named 'a'",
                        "/blocks/0/arm: no arm is named 'c'",
                        "/ratios/0/peer: no arm is named 'b'",
                        "/blocks/0/launchNs: must be positive and at most 8.64E13 ns, which is a day, got 0.0");
        worker.report(lease, finished(lease)).taken();
    }

    /** A screen with its ratio to the anchor, known to one part in a hundred. */
    private static Report.Screened anchored(
            ScriptedWorker worker, Lease lease, double medianNs, double clockMhz, double ratio) {
        Report.Screened plain = worker.completed(lease, medianNs);
        Measurement timed = new Measurement(
                Mode.SUSTAINED,
                Stage.SCREEN,
                3,
                30,
                medianNs,
                medianNs * 0.99,
                medianNs * 1.01,
                clockMhz,
                700.0,
                61.0,
                new Ratio(ratio, ratio * 0.99, ratio * 1.01, 3));
        return new Report.Screened(
                lease.fence(),
                new TrialResult(
                        plain.result().outcome(),
                        plain.result().errorRatio(),
                        plain.result().compilation(),
                        plain.result().executed(),
                        List.of(timed),
                        plain.result().evidence(),
                        null,
                        plain.result().timesNs(),
                        ""));
    }

    /** The driver reads the facts that a final is chosen by with its own connections, before the choice. */
    @Test
    void aFinalIsChosenWhileUsersHoldAllTheirConnections(Api api, Service service) throws SQLException {
        api.submit("cuda", "random", 2, "640x384x256");
        ScriptedWorker worker = ScriptedWorker.cuda(api, 0);
        List<Connection> held = new ArrayList<>();
        try {
            while (held.size() < ConnectionPool.QUERIES.size()) {
                held.add(service.bean(Pools.class).getConnection());
            }
            assertThat(reachFinal(worker).work()).isInstanceOf(Work.Final.class);
        } finally {
            for (Connection connection : held) {
                connection.close();
            }
        }
    }

    @Test
    void aScreenKeepsItsRatioToTheAnchor(Api api) {
        api.submit("cuda", "random", 1, "640x384x256");
        ScriptedWorker worker = ScriptedWorker.cuda(api, 0);
        Lease lease = worker.leaseOne();
        Work.Screen screen = (Work.Screen) lease.work();
        assertThat(screen.anchor()).isNotNull();
        worker.report(lease, anchored(worker, lease, 1000, 1500, 1.1)).taken();
        JsonNode measurement = api.get("/api/v1/trials/" + screen.trialId())
                .expect(200)
                .get("measurements")
                .get(0);
        assertThat(measurement.get("ratioToAnchor").get("value").asDouble()).isEqualTo(1.1);
        assertThat(measurement.get("ratioToAnchor").get("blocks").asInt()).isEqualTo(3);
        assertThat(measurement.get("powerWatts").asDouble()).isEqualTo(700);
        assertThat(measurement.get("temperatureCelsius").asDouble()).isEqualTo(61);
    }

    @Test
    void aRaceThatNobodySurvivedIsNoFinal(Api api) {
        String id = api.submit("cuda", "random", 2, "640x384x256");
        ScriptedWorker worker = ScriptedWorker.cuda(api, 0);
        Lease lease = reachFinal(worker);
        Work.Contender only = ((Work.Final) lease.work()).contenders().getFirst();
        Report.Arm raced = new Report.Arm(
                "raced",
                only.trialId(),
                "toy",
                only.config(),
                TrialOutcome.COMPLETED,
                0.5,
                List.of(ScriptedWorker.measurement(lease, Mode.SUSTAINED, Stage.CONTEND, 500, true)),
                "");
        worker.report(
                        lease,
                        new Report.Finished(
                                lease.fence(),
                                new FinalResult(List.of(raced), List.of(), List.of(), List.of(), "noisy")))
                .taken();
        JsonNode study = api.result(id).get("studies").get(0);
        assertThat(study.get("error").asString()).isEqualTo("no finalist completed the final: noisy");
        assertThat(study.get("best").isNull()).isTrue();
        assertThat(api.get("/api/v1/best").expect(200).get("items")).isEmpty();
    }

    @Test
    void aJobSaysHowManyReachTheFinal(Api api) {
        String job = """
                {"problems": [{"m": 640, "n": 384, "k": 256}], "family": "toy", "device": "cuda",
                 "budget": {"trials": 3, "finalists": %d}}""";
        api.post("/api/v1/jobs", job.formatted(1)).expect(202);
        ScriptedWorker worker = ScriptedWorker.cuda(api, 0);
        assertThat(((Work.Final) reachFinal(worker).work()).finalists()).isEqualTo(1);
        assertThat(Api.errors(api.post("/api/v1/jobs", job.formatted(17)).problem(422)))
                .containsExactly("/budget/finalists: must be from 0 to 16, got 17");
        assertThat(Api.errors(api.post("/api/v1/jobs", job.formatted(-1)).problem(422)))
                .containsExactly("/budget/finalists: must be from 0 to 16, got -1");
    }

    @Test
    void oneReachesTheFinalUnlessMoreAreAskedFor(Api api) {
        String id = api.post("/api/v1/jobs", """
                        {"problems": [{"m": 640, "n": 384, "k": 256}], "family": "toy", "device": "cuda",
                         "budget": {"trials": 3}}""").expect(202).get("id").asString();
        assertThat(api.job(id).get("budget").get("finalists").asInt()).isEqualTo(1);
    }

    @Test
    void aJobMayDoWithoutAFinal(Api api) {
        String id = api.post("/api/v1/jobs", """
                {"problems": [{"m": 640, "n": 384, "k": 256}], "family": "toy", "device": "cuda",
                 "budget": {"trials": 3, "finalists": 0}}""").expect(202).get("id").asString();
        ScriptedWorker worker = ScriptedWorker.cuda(api, 0);
        for (int trial = 0; trial < 3; trial++) {
            Lease lease = worker.lease(1).getFirst();
            assertThat(lease.work()).isInstanceOf(Work.Screen.class);
            worker.complete(lease, 2000 - 10 * trial);
        }
        JsonNode study = api.result(id).get("studies").get(0);
        assertThat(study.get("state").asString()).isEqualTo("finished");
        assertThat(study.get("error").isNull()).isTrue();
        assertThat(study.get("best").isNull()).as("screens only rank").isTrue();
        assertThat(api.job(id).get("state").asString()).isEqualTo("finished");
    }

    /** A final of one config whose time and ratio to the vendor's default kernel are these; its trial. */
    private static UUID raced(
            Api api, double medianNs, double half, @Nullable Ratio overDefault, TrialOutcome ofDefault) {
        api.submit("cuda", "random", 1, "640x384x256");
        ScriptedWorker worker = ScriptedWorker.cuda(api, 0);
        Lease lease = reachFinal(worker);
        Work.Contender only = ((Work.Final) lease.work()).contenders().getFirst();
        String name = only.trialId().toString();
        Measurement time =
                new Measurement(Mode.SUSTAINED, Stage.FINAL, 6, 60, medianNs, medianNs - half, medianNs + half, 1755.0);
        List<Report.Arm> arms = new ArrayList<>(List.of(new Report.Arm(
                name, only.trialId(), "toy", only.config(), TrialOutcome.COMPLETED, 0.5, List.of(time), "")));
        List<Report.ArmRatio> ratios = new ArrayList<>();
        if (overDefault != null) {
            arms.add(new Report.Arm("default", null, "cublaslt", DEFAULT, ofDefault, 0.5, List.of(time), ""));
            ratios.add(new Report.ArmRatio(name, "default", Mode.SUSTAINED, overDefault));
        }
        worker.report(
                        lease,
                        new Report.Finished(lease.fence(), new FinalResult(arms, ratios, List.of(), List.of(), "")))
                .taken();
        return only.trialId();
    }

    private static UUID raced(Api api, double medianNs, double half) {
        return raced(api, medianNs, half, null, TrialOutcome.COMPLETED);
    }

    private static UUID best(Api api) {
        JsonNode items = api.get("/api/v1/best").expect(200).get("items");
        assertThat(items).hasSize(1);
        return UUID.fromString(items.get(0).get("trialId").asString());
    }

    @Test
    void theBestIsTheOneWithTheBestIntervalAndNotTheNewest(Api api, Service service) {
        UUID fast = raced(api, 1000, 10);
        service.clock().advance(Duration.ofMinutes(1));
        raced(api, 1200, 10);
        assertThat(best(api)).as("the older one is faster").isEqualTo(fast);
        service.clock().advance(Duration.ofMinutes(1));
        raced(api, 990, 50);
        assertThat(best(api)).as("the median is shorter, and less is sure").isEqualTo(fast);
        service.clock().advance(Duration.ofMinutes(1));
        UUID faster = raced(api, 995, 5);
        assertThat(best(api)).as("the upper bound is lower").isEqualTo(faster);
    }

    @Test
    void finalsAreComparedByTheDefaultKernelWhereAllHaveIt(Api api, Service service) {
        UUID wins = raced(api, 1100, 5, new Ratio(1.10, 1.09, 1.11, 6), TrialOutcome.COMPLETED);
        service.clock().advance(Duration.ofMinutes(1));
        raced(api, 1000, 5, new Ratio(1.12, 1.02, 1.22, 6), TrialOutcome.COMPLETED);
        assertThat(best(api)).as("the clock was lower, and more is sure").isEqualTo(wins);
        service.clock().advance(Duration.ofMinutes(1));
        UUID noDefault = raced(api, 990, 5, new Ratio(1.05, 1.04, 1.06, 6), TrialOutcome.MISMATCH);
        assertThat(best(api)).as("one has no default: by time").isEqualTo(noDefault);
    }

    @Test
    void anArmThatIsFasterThanTheGpuIsNeitherBestNorServed(Api api) {
        raced(api, 100, 1);
        assertThat(api.get("/api/v1/best").expect(200).get("items")).isEmpty();
    }
}
