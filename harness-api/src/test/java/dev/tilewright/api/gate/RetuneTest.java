package dev.tilewright.api.gate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.RunningService;
import dev.tilewright.api.testing.RunningService.Service;
import dev.tilewright.api.testing.ScriptedWorker;
import dev.tilewright.model.space.Config;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

/** Cases that fail are tuned again, after the verdict, by a job as any other. */
@ExtendWith(RunningService.class)
class RetuneTest {

    private static final double PEER_NS = TuningGpu.PEER_NS;
    private static final String TO_PEER = "{\"kernel\":{\"peer\":\"cublaslt\"}}";

    /** The candidate of {@link GateScript#gateCase} takes 3 % longer than its baseline. */
    private static double slower(Config config, double others) {
        if (config.whole("tileM") == 64
                && config.whole("tileN") == 128
                && config.whole("rasterGroup") == 2
                && config.name("scheduler").equals("static")) {
            return 1.03 * PEER_NS;
        }
        return others;
    }

    private static JsonNode retune(GateScript gate, String id) {
        return gate.only(id).get("retune");
    }

    private static String state(JsonNode retune) {
        return retune.get("state").asString();
    }

    private static void toVerdict(GateScript gate, TuningGpu gpu, String id) {
        while (!gate.run(id).get("state").asString().equals("finished")) {
            assertThat(gpu.step(gate)).isTrue();
        }
        assertThat(gate.run(id).get("verdict").asString()).isEqualTo("fail");
    }

    private static void workOff(GateScript gate, TuningGpu gpu) {
        while (gpu.step(gate)) {
            // Until the service asks for nothing more.
        }
    }

    @Test
    void aLossThatAnotherConfigWinsBackIsRecovered(Api api, Service service) {
        GateScript gate = new GateScript(api, service);
        TuningGpu gpu = new TuningGpu(
                ScriptedWorker.cuda(api, 0),
                "toy",
                config -> slower(config, config.whole("tileM") == 256 ? 0.999 * PEER_NS : 1.01 * PEER_NS));
        String candidate = "{\"family\":\"toy\",\"config\":" + GateScript.SECOND + "}";
        String id = gate.submit(",\"retuneSeconds\":60", GateScript.gateCase("one", candidate, TO_PEER));

        toVerdict(gate, gpu, id);
        JsonNode before = gate.run(id);
        assertThat(state(retune(gate, id))).as("the verdict does not wait").isIn("waiting", "tuning");
        gate.look();
        String job = retune(gate, id).get("job").asString();
        JsonNode asked = api.get("/api/v1/jobs/" + job).expect(200);
        assertThat(asked.get("name").asString()).isEqualTo("gate gemm: one tuned again");
        assertThat(asked.get("device").asString()).isEqualTo("cuda:0");
        assertThat(asked.get("budget").get("seconds").asInt()).isEqualTo(60);

        workOff(gate, gpu);

        JsonNode recovered = retune(gate, id);
        assertThat(state(recovered)).as(recovered.toPrettyString()).isEqualTo("recovered");
        assertThat(recovered.get("kernel").get("config").get("tileM").asInt()).isEqualTo(256);
        assertThat(recovered.get("effect").get("percent").asDouble()).isBetween(-0.3, 0.1);
        assertThat(recovered.get("effect").get("high").asDouble()).isLessThan(1);
        assertThat(recovered.get("reason").asString()).contains("tileM=256", "not slower by 1 %");
        assertThat(recovered.get("side").get("outcome").asString()).isEqualTo("completed");
        JsonNode after = gate.run(id);
        for (String stays : List.of("verdict", "reason", "finishedAt", "gpuSeconds", "sentinels")) {
            assertThat(after.get(stays)).as(stays).isEqualTo(before.get(stays));
        }
        assertThat(after.get("cases").get(0).get("stages")).hasSize(2);
        assertThat(after.get("cases").get(0).get("candidate"))
                .isEqualTo(before.get("cases").get(0).get("candidate"));
        JsonNode blocks = api.get(GateScript.path(UUID.fromString(id)) + "/blocks")
                .expect(200)
                .get("stages");
        assertThat(blocks.valueStream()
                        .filter(stage -> stage.get("case").asString().equals("one"))
                        .map(stage -> stage.get("number").asInt()))
                .containsExactly(1, 2, 3);
        assertThat(api.get("/gate-runs/" + id + "/cases/0").text())
                .as("the page of the case")
                .contains(
                        "Tuning again", "<strong>tuned again, recovered</strong>", "not slower by 1 %", "/jobs/" + job);
        assertThat(api.get("/gate-runs/" + id).text()).contains("tuned again, recovered");
    }

    @Test
    void theKernelOfTheBaselineThatIsFoundAgainIsRecovered(Api api, Service service) {
        GateScript gate = new GateScript(api, service);
        TuningGpu gpu = new TuningGpu(
                ScriptedWorker.cuda(api, 0),
                "toy",
                config -> slower(
                        config,
                        config.whole("tileM") == 128 && config.whole("rasterGroup") == 1 ? PEER_NS : 1.05 * PEER_NS));
        String id = gate.submit(",\"retuneSeconds\":20", GateScript.gateCase("one"));
        toVerdict(gate, gpu, id);
        workOff(gate, gpu);
        assertThat(state(retune(gate, id))).isEqualTo("recovered");
    }

    @Test
    void aLossThatTheFastestHasTooIsNotRecovered(Api api, Service service) {
        GateScript gate = new GateScript(api, service);
        TuningGpu gpu = new TuningGpu(ScriptedWorker.cuda(api, 0), "toy", config -> slower(config, 1.02 * PEER_NS));
        String candidate = "{\"family\":\"toy\",\"config\":" + GateScript.SECOND + "}";
        String id = gate.submit(",\"retuneSeconds\":60", GateScript.gateCase("one", candidate, TO_PEER));
        toVerdict(gate, gpu, id);
        workOff(gate, gpu);
        JsonNode lost = retune(gate, id);
        assertThat(state(lost)).as(lost.toPrettyString()).isEqualTo("not_recovered");
        assertThat(lost.get("effect").get("percent").asDouble()).isBetween(1.8, 2.2);
        assertThat(lost.get("reason").asString()).contains("slower by more than 1 %");
    }

    @Test
    void aCandidateThatIsTheFastestItselfIsNotComparedAgain(Api api, Service service) {
        GateScript gate = new GateScript(api, service);
        TuningGpu gpu = new TuningGpu(ScriptedWorker.cuda(api, 0), "toy", config -> slower(config, 1.2 * PEER_NS));
        String candidate = "{\"family\":\"toy\",\"config\":" + GateScript.SECOND + "}";
        String id = gate.submit(",\"retuneSeconds\":60", GateScript.gateCase("one", candidate, TO_PEER));
        toVerdict(gate, gpu, id);
        workOff(gate, gpu);
        JsonNode lost = retune(gate, id);
        assertThat(state(lost)).as(lost.toPrettyString()).isEqualTo("not_recovered");
        assertThat(lost.get("reason").asString()).isEqualTo("the candidate is the fastest that was found");
        assertThat(lost.has("effect")).isFalse();
    }

    @Test
    void whatIsNotAskedForIsUnknown(Api api, Service service) {
        GateScript gate = new GateScript(api, service);
        TuningGpu gpu = new TuningGpu(ScriptedWorker.cuda(api, 0), "toy", config -> slower(config, PEER_NS));
        String id = gate.submit("", GateScript.gateCase("one"));
        toVerdict(gate, gpu, id);
        assertThat(state(retune(gate, id))).isEqualTo("unknown");
        assertThat(retune(gate, id).get("reason").asString()).contains("retuneSeconds in tilewright.yaml");
        assertThat(gpu.step(gate)).as("nothing is tuned").isFalse();
    }

    @Test
    void aPeerHasNothingToTune(Api api, Service service) {
        GateScript gate = new GateScript(api, service);
        TuningGpu gpu = new TuningGpu(ScriptedWorker.cuda(api, 0), "toy", config -> 0.9 * PEER_NS);
        String id = gate.submit(
                ",\"retuneSeconds\":60",
                GateScript.gateCase(
                        "one",
                        "{\"peer\":\"cublaslt\"}",
                        "{\"kernel\":{\"family\":\"toy\",\"config\":" + GateScript.FIRST + "}}"));
        toVerdict(gate, gpu, id);
        assertThat(state(retune(gate, id))).isEqualTo("impossible");
        assertThat(retune(gate, id).get("reason").asString())
                .isEqualTo("cublaslt chooses its kernels by itself: nothing can be tuned");
    }

    @Test
    void theTimeIsForTheGreatestLosses(Api api, Service service) {
        GateScript gate = new GateScript(api, service);
        TuningGpu gpu = new TuningGpu(ScriptedWorker.cuda(api, 0), "toy", config -> slower(config, PEER_NS));
        String more = GateScript.gateCase("less", "{\"family\":\"toy\",\"config\":" + GateScript.SECOND + "}", TO_PEER);
        String id = gate.submit(",\"retuneSeconds\":39", more, GateScript.gateCase("two"));
        toVerdict(gate, gpu, id);
        List<String> states = gate.run(id)
                .get("cases")
                .valueStream()
                .map(each -> state(each.get("retune")))
                .toList();
        assertThat(states).containsOnlyOnce("unknown");
        assertThat(gate.run(id).toString())
                .contains("the 39 s for tuning again suffice for the 1 greatest losses, and this is not one of them");
    }

    @Test
    void whoCancelsARunThatIsOverEndsItsTuning(Api api, Service service) {
        GateScript gate = new GateScript(api, service);
        TuningGpu gpu = new TuningGpu(ScriptedWorker.cuda(api, 0), "toy", config -> slower(config, PEER_NS));
        String id = gate.submit(",\"retuneSeconds\":60", GateScript.gateCase("one"));
        toVerdict(gate, gpu, id);
        gate.look();
        String job = retune(gate, id).get("job").asString();
        JsonNode run = api.post("/api/v1/gate-runs/" + id + "/cancel", "").expect(200);
        assertThat(run.get("state").asString()).isEqualTo("finished");
        assertThat(run.get("verdict").asString()).isEqualTo("fail");
        assertThat(state(run.get("cases").get(0).get("retune"))).isEqualTo("unknown");
        assertThat(api.get("/api/v1/jobs/" + job).expect(200).get("state").asString())
                .isEqualTo("cancelled");
        assertThat(gpu.step(gate)).isFalse();
    }

    @Test
    void aGpuThatIsLostLeavesTheVerdictAndAnUnknown(Api api, Service service) {
        GateScript gate = new GateScript(api, service);
        TuningGpu gpu = new TuningGpu(ScriptedWorker.cuda(api, 0), "toy", config -> slower(config, PEER_NS));
        String id = gate.submit(",\"retuneSeconds\":60", GateScript.gateCase("one"));
        toVerdict(gate, gpu, id);
        gate.look();
        service.silence(Duration.ofMinutes(12));
        gate.look();
        JsonNode run = gate.run(id);
        assertThat(run.get("verdict").asString()).isEqualTo("fail");
        JsonNode retune = run.get("cases").get(0).get("retune");
        assertThat(state(retune)).isEqualTo("unknown");
        assertThat(retune.get("reason").asString())
                .isEqualTo("tuning it again did not end in time: 60 s of retuneSeconds, and 10 minutes for finals,"
                        + " comparisons and the work of others");
        assertThat(api.get("/api/v1/jobs/" + retune.get("job").asString())
                        .expect(200)
                        .get("state")
                        .asString())
                .isEqualTo("cancelled");
    }
}
