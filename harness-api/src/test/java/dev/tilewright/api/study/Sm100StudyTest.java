package dev.tilewright.api.study;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.ResultSchema;
import dev.tilewright.api.testing.RunningService;
import dev.tilewright.api.testing.RunningService.Service;
import dev.tilewright.api.testing.ScriptedWorker;
import dev.tilewright.model.trial.Testbed;
import dev.tilewright.model.trial.TestbedKind;
import dev.tilewright.simulator.SimulatedGpus;
import dev.tilewright.simulator.Simulator;
import java.io.IOException;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Blackwell through the API: whose family is whose, and a study with every scheduler on the model of a B200. */
@ExtendWith(RunningService.class)
class Sm100StudyTest {

    private static final Testbed B200 =
            new Testbed(TestbedKind.CUDA, "NVIDIA B200", "580.1", "ptxas 13.0.88", 148, "factory");

    private static ScriptedWorker worker(Api api, String device, Testbed testbed) {
        return new ScriptedWorker(api, UUID.randomUUID(), device, testbed).register();
    }

    private static Api.Answer submit(Api api, String device, String more) {
        return api.post(
                "/api/v1/jobs",
                "{\"problems\":[{\"m\":2048,\"n\":1024,\"k\":768}],\"device\":\"" + device + "\"" + more + "}");
    }

    private static String family(Api api, Api.Answer submitted) {
        return api.result(submitted.expect(202).get("id").asString())
                .get("studies")
                .get(0)
                .get("family")
                .asString();
    }

    @ParameterizedTest
    @CsvSource({
        "simulated:h200, sm90-gemm",
        "simulated:b200, sm100-gemm",
        "simulated:gb200, sm100-gemm",
        "emulated, sm90-gemm",
        "auto, sm90-gemm",
        "cuda:0, sm90-gemm"
    })
    void withoutANameTheFamilyIsThatOfTheModel(String device, String family, Api api) {
        assertThat(family(api, submit(api, device, ""))).isEqualTo(family);
    }

    @Test
    void withoutANameTheFamilyIsThatOfTheGpuOnOffer(Api api) {
        worker(api, "cuda:1", B200);
        assertThat(family(api, submit(api, "cuda:1", ""))).isEqualTo("sm100-gemm");
        assertThat(family(api, submit(api, "auto", ""))).isEqualTo("sm100-gemm");
        assertThat(family(api, submit(api, "emulated", ",\"family\":\"sm100-gemm\"")))
                .isEqualTo("sm100-gemm");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "simulated:b200 | sm90-gemm | sm90-gemm runs on sm90, and simulated:b200 is sm100: take family sm100-gemm",
                "simulated:h200 | sm100-gemm | sm100-gemm runs on sm100, and simulated:h200 is sm90: take family sm90-gemm",
                "cuda:1 | sm90-gemm | sm90-gemm runs on sm90, and cuda:1 (NVIDIA B200) is sm100: take family sm100-gemm",
            })
    void aFamilyOfAnotherArchitectureIsRefusedWithBoth(String device, String family, String message, Api api) {
        worker(api, "cuda:1", B200);
        JsonNode problem = submit(api, device, ",\"family\":\"" + family + "\"").problem(422);
        assertThat(Api.errors(problem)).containsExactly("/family: " + message);
    }

    @Test
    void hopperHasNoClusterLaunchControl(Api api) {
        JsonNode problem =
                submit(api, "simulated:h200", ",\"schedulers\":[\"clc\"]").problem(422);
        assertThat(Api.errors(problem))
                .containsExactly("/schedulers/0: parameter 'scheduler' has no value clc; known: static, single, atomic;"
                        + " family sm100-gemm has it");
    }

    @Test
    void aGpuOfAnotherArchitectureTakesNoStudyAndAnotherMay(Api api) {
        String id = submit(api, "cuda:all", ",\"family\":\"sm100-gemm\",\"budget\":{\"trials\":1}")
                .expect(202)
                .get("id")
                .asString();
        ScriptedWorker blackwell = worker(api, "cuda:1", B200);
        ScriptedWorker hopper = ScriptedWorker.cuda(api, 0);

        assertThat(hopper.lease(4)).isEmpty();
        assertThat(api.job(id).get("state").asString()).isEqualTo("queued");
        assertThat(blackwell.lease(4)).hasSize(1);
    }

    @Test
    void aStudyThatNoGpuMayTakeEndsWithTheReason(Api api) {
        String id = submit(api, "cuda:0", ",\"family\":\"sm100-gemm\"")
                .expect(202)
                .get("id")
                .asString();

        assertThat(ScriptedWorker.cuda(api, 0).lease(4)).isEmpty();

        assertThat(api.job(id).get("state").asString()).isEqualTo("failed");
        assertThat(api.result(id).get("studies").get(0).get("error").asString())
                .isEqualTo("family sm100-gemm runs on sm100, and cuda:0 (NVIDIA H200) is sm90");
    }

    @ParameterizedTest
    @CsvSource({"bf16, bf16", "f16, f16", "e4m3, bf16"})
    void oneTypeIsEnoughForTheFamily(String dtype, String output, Api api) {
        JsonNode problem = api.result(api.post(
                                "/api/v1/jobs",
                                "{\"problems\":[{\"m\":2048,\"n\":1024,\"k\":768,\"dtype\":\"" + dtype
                                        + "\"}],\"device\":\"simulated:b200\"}")
                        .expect(202)
                        .get("id")
                        .asString())
                .get("studies")
                .get(0)
                .get("problem");

        assertThat(problem.get("types").get("a").asString()).isEqualTo(dtype);
        assertThat(problem.get("types").get("b").asString()).isEqualTo(dtype);
        assertThat(problem.get("types").get("d").asString()).isEqualTo(output);
    }

    @Test
    void everySchedulerIsTunedToTheEndOnTheModelOfAB200(Api api, Service service) throws IOException {
        Simulator model = Simulator.of(SimulatedGpus.B200);
        ScriptedWorker worker = worker(api, "simulated:b200", model.testbed());
        String id = api.post("/api/v1/jobs", """
                        {"problems":[{"m":4096,"n":3072,"k":768}],"device":"simulated:b200","budget":{"trials":12},"seed":3,
                         "schedulers":["single","static","atomic","clc"],
                         "parameters":{"ctaGroup":[1],"tileN":[128],"tileK":[64],"clusterN":[1],"clcPrefetch":[1],"rasterGroup":[1]}}""").expect(202).get("id").asString();
        assertThat(worker.workOff((lease, _) -> ScriptedWorker.predicted(model, lease)))
                .isEqualTo(12);
        JsonNode result = api.result(id);
        assertThat(ResultSchema.errors(result)).isEmpty();
        JsonNode study = result.get("studies").get(0);
        assertThat(study.get("state").asString()).isEqualTo("finished");
        assertThat(study.get("family").asString()).isEqualTo("sm100-gemm");
        assertThat(study.get("best").get("kind").asString()).isEqualTo("simulated");
        Set<String> schedulers = new TreeSet<>();
        for (JsonNode trial : study.get("trials")) {
            String scheduler = trial.get("config").get("scheduler").asString();
            schedulers.add(scheduler);
            JsonNode evidence = trial.get("evidence");
            assertThat(evidence.get("tilesPerSm")).hasSize(148);
            assertThat(evidence.get("firstStartNs")).hasSize(148);
            assertThat(evidence.get("lastEndNs")).hasSize(148);
            boolean asks = scheduler.equals("atomic") || scheduler.equals("clc");
            assertThat(evidence.get("stealsPerCluster").isEmpty()).isEqualTo(!asks);
            assertThat(evidence.get("failedQueries").asInt(0) > 0).isEqualTo(asks);
        }
        assertThat(schedulers).containsExactly("atomic", "clc", "single", "static");
        // Of 768 tiles each is the first of its cluster or was stolen.
        assertThat(service.jdbc().sql("""
                        select distinct (select sum(steal::int) from json_array_elements_text(evidence -> 'stealsPerCluster') steal)
                            + json_array_length(evidence -> 'stealsPerCluster')
                        from trial where config ->> 'scheduler' = 'clc' and cluster_size = 1""").query(Long.class).list())
                .isNotEmpty()
                .allMatch(tiles -> tiles == 768);
    }
}
