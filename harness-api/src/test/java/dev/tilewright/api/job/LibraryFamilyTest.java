package dev.tilewright.api.job;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.RunningService;
import dev.tilewright.api.testing.ScriptedWorker;
import dev.tilewright.model.exchange.FinalResult;
import dev.tilewright.model.exchange.Lease;
import dev.tilewright.model.exchange.Report;
import dev.tilewright.model.exchange.TrialResult;
import dev.tilewright.model.exchange.Work;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import dev.tilewright.model.trial.Executed;
import dev.tilewright.model.trial.Measurement;
import dev.tilewright.model.trial.Mode;
import dev.tilewright.model.trial.Ratio;
import dev.tilewright.model.trial.Stage;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.space.vendor.VendorSpace;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

/** A job of the family whose kernels are those of the vendor's library. */
@ExtendWith(RunningService.class)
class LibraryFamilyTest {

    private static final Problem PROBLEM = Problem.of(new ProblemShape(512, 512, 512), DataType.BF16);
    private static final int TRIALS = 6;

    private static Api.Answer submit(Api api, String device, String more) {
        return api.post("/api/v1/jobs", """
                {"problems":[{"m":512,"n":512,"k":512,"dtype":"bf16"}],"family":"cublaslt","device":"%s",
                 "budget":{"trials":%d}%s}""".formatted(device, TRIALS, more));
    }

    private static List<String> refused(Api api, String device, String more) {
        return Api.errors(submit(api, device, more).problem(422));
    }

    /** A screen of an algorithm: no text, no cubin. */
    private static Report.Screened screened(Lease lease, double medianNs) {
        return new Report.Screened(
                lease.fence(),
                new TrialResult(
                        TrialOutcome.COMPLETED,
                        0.25,
                        null,
                        new Executed(64, 2, 384),
                        List.of(new Measurement(
                                Mode.SUSTAINED, Stage.SCREEN, 3, 15, medianNs, medianNs, medianNs, 1980.0)),
                        null,
                        null,
                        Map.of("verify", 5L),
                        "library: libcublasLt.so.13 130100\nlaunches nvjet_hsh"));
    }

    private static Report.Arm arm(
            String name, Work.@Nullable Contender contender, Config config, Stage stage, double ns) {
        return new Report.Arm(
                name,
                contender == null ? null : contender.trialId(),
                "cublaslt",
                config,
                TrialOutcome.COMPLETED,
                0.25,
                List.of(new Measurement(Mode.SUSTAINED, stage, 12, 90, ns, ns, ns, 1980.0)),
                "");
    }

    @Test
    void itsTrialsFollowWhatIsKnownAndItsFinalHasTheHeuristicsOwn(Api api) {
        String job = submit(api, "cuda:0", "").expect(202).get("id").asString();
        ScriptedWorker gpu = ScriptedWorker.cuda(api, 0);
        List<Config> tried = new ArrayList<>();
        Lease lease = gpu.leaseOne();
        while (lease.work() instanceof Work.Screen screen) {
            assertThat(screen.anchor()).isNull();
            tried.add(screen.config());
            gpu.report(
                            lease,
                            tried.size() == 2
                                    ? ScriptedWorker.failed(lease, TrialOutcome.PRUNED, "launches the same as x: k")
                                    : screened(lease, 10_000 + tried.size()))
                    .taken();
            lease = gpu.leaseOne();
        }
        assertThat(tried)
                .isEqualTo(new VendorSpace().promising(PROBLEM, 1).limit(TRIALS).toList());
        Work.Final last = (Work.Final) lease.work();
        assertThat(last.peers()).containsExactly("cublaslt");
        assertThat(last.contenders()).extracting(Work.Contender::config).doesNotContain(tried.get(1));
        Work.Contender winner = last.contenders().getFirst();
        List<Report.Arm> arms = new ArrayList<>();
        last.contenders()
                .forEach(each -> arms.add(arm(
                        each.trialId().toString(),
                        each,
                        each.config(),
                        each == winner ? Stage.FINAL : Stage.CONTEND,
                        9e3)));
        arms.add(arm(
                "cublaslt algorithm=0",
                null,
                Config.of(Map.of("algorithm", ParameterValue.of(0))),
                Stage.FINAL,
                1.1e4));
        gpu.report(
                        lease,
                        new Report.Finished(
                                lease.fence(),
                                new FinalResult(
                                        arms,
                                        List.of(new Report.ArmRatio(
                                                winner.trialId().toString(),
                                                "cublaslt algorithm=0",
                                                Mode.SUSTAINED,
                                                new Ratio(1.2, 1.1, 1.3, 5))),
                                        List.of(),
                                        List.of(),
                                        "")))
                .taken();

        JsonNode study = api.result(job).get("studies").get(0);
        assertThat(study.get("best").get("id").asString())
                .isEqualTo(winner.trialId().toString());
        assertThat(study.get("ratioToDefault").asDouble()).isEqualTo(1.2);
        assertThat(study.get("trials").valueStream())
                .anySatisfy(trial -> assertThat(trial.get("log").asString()).startsWith("launches the same as"));
        assertThat(api.get("/api/v1/best?shape=512x512x512&dtype=bf16&family=cublaslt")
                        .expect(200)
                        .get("items")
                        .get(0)
                        .get("config")
                        .get("algorithmId")
                        .asInt())
                .isEqualTo(66);
        assertThat(api.get("/studies/" + study.get("id").asString()).text()).contains("cublaslt");
    }

    @Test
    void noModelAndNoEmulatorKnowsItsKernels(Api api) {
        assertThat(refused(api, "simulated:h200", ""))
                .containsExactly("/family: no model of a GPU knows the kernels of cublaslt; let cuda time them");
        assertThat(refused(api, "emulated", ""))
                .containsExactly(
                        "/family: the kernels of cublaslt are those of an installed library, which has no text of"
                                + " them, and emulated runs texts; let cuda time them");
        assertThat(refused(api, "cuda:0", ",\"check\":true"))
                .containsExactly(
                        "/check: the kernels of cublaslt are those of an installed library, which has no text of"
                                + " them: they cannot be proved");
        submit(api, "auto", "").expect(202);
        assertThat(ScriptedWorker.simulated(api).lease(1)).isEmpty();
    }

    @Test
    void aParameterOrValueThatItLacksIsNamed(Api api) {
        assertThat(refused(api, "cuda:0", ",\"schedulers\":[\"static\"]"))
                .singleElement()
                .asString()
                .startsWith("/schedulers: family cublaslt has no parameter 'scheduler'; known: algorithmId,");
        assertThat(refused(api, "cuda:0", ",\"eachScheduler\":true"))
                .containsExactly("/eachScheduler: family cublaslt names no tile schedulers");
        assertThat(refused(api, "cuda:0", ",\"parameters\":{\"tileId\":[9999]}"))
                .singleElement()
                .asString()
                .isEqualTo("/parameters/tileId/0: parameter 'tileId' has no value 9999; known: 0 to 634");
        submit(api, "cuda:0", ",\"parameters\":{\"algorithmId\":[21],\"tileId\":[20]},\"space\":\"full\"")
                .expect(202);
    }

    @Test
    void itsConfigsAreComparedButNotSlowed(Api api) {
        String config = new VendorSpace()
                .promising(PROBLEM, 1)
                .findFirst()
                .map(each -> api.mapper().writeValueAsString(each.values()))
                .orElseThrow();
        String problem = "{\"m\":512,\"n\":512,\"k\":512,\"dtype\":\"bf16\"}";
        String own = "{\"family\":\"cublaslt\",\"config\":" + config + "%s}";
        String body = "{\"problem\":" + problem + ",\"first\":%s,\"second\":{\"peer\":\"cublaslt\"}}";
        api.post("/api/v1/comparisons", body.formatted(own.formatted(""))).expect(202);
        assertThat(Api.errors(api.post("/api/v1/comparisons", body.formatted(own.formatted(",\"slowedBy\":0.01")))
                        .problem(422)))
                .containsExactly(
                        "/first/slowedBy: the kernels of cublaslt are those of an installed library, which has no"
                                + " text of them");
    }
}
