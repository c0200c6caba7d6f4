package dev.tilewright.system.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.util.FileSystemUtils;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A sweep on an emulated GPU through the whole of the real service, with the death of the process that emulates. */
class EmulatedSweepIT {

    private static final String JOB = """
            {"problems":[{"m":456,"n":328,"k":104}],"schedulers":["static"],"seed":7,"budget":{"trials":2},
            "parameters":{"mode":["cooperative"],"consumers":[1],"tileM":[64],"tileN":[64],"tileK":[32],"loadStages":[3],"epilogueN":[32],"epilogueStages":[2],"ctasPerSm":[1],"waitDepth":[1],"tileLocation":["raster"],
            "l2Hint":["none"],"l2Promotion":[128],"loadStart":["free"],"clusterOrder":["launch"],"splitK":[1],"clusterK":[1],"clusterM":[1],"clusterN":[1],"rasterOrder":["alongM","alongN"]},"device":"emulated","check":true}""";

    private Installation installation = new Installation(Path.of("nowhere"), Path.of("nowhere"));

    @BeforeEach
    void place() throws IOException {
        installation = Installation.placed("emulated");
    }

    @AfterEach
    void leaveNothingBehind() {
        installation.destroy();
    }

    @Test
    @Timeout(value = 40, unit = TimeUnit.MINUTES)
    void provesWithoutTimesAndKeepsItsProofs() throws Exception {
        Process service = installation.serve("emulated");
        installation.await("service", installation::api);
        // The emulator's runner is started when there is something to prove.
        String job = installation.post("/api/v1/jobs", JOB).get("id").asString();
        ProcessHandle runner = installation.await("runner", installation::runner);
        installation.await(
                "runner at work", () -> runner.info().totalCpuDuration().filter(cpu -> cpu.toMillis() > 2500));
        assertThat(runner.destroyForcibly()).isTrue();

        JsonNode result = installation.await("end of the job", () -> {
            JsonNode now = installation.get("/api/v1/jobs/" + job + "/result");
            return now.get("job").get("state").asString().equals("finished") ? Optional.of(now) : Optional.empty();
        });

        JsonNode study = result.get("studies").get(0);
        assertThat(study.get("testbed").get("kind").asString()).isEqualTo("emulated");
        assertThat(study.get("testbed").get("smCount").asInt()).isEqualTo(4);
        assertThat(study.get("best").isNull()).isTrue();
        assertThat(study.get("trials")).as(installation.logs()).hasSize(2);
        study.get("trials").forEach(trial -> {
            assertThat(trial.get("outcome").asString())
                    .as(trial.get("log").asString())
                    .isEqualTo("completed");
            assertThat(trial.get("measurements")).isEmpty();
            assertThat(trial.get("tflops").isNull()).isTrue();
            assertThat(trial.get("tilesPerSm")).hasSize(4);
            assertThat(trial.get("registers").asInt()).isBetween(24, 255);
            JsonNode checked = trial.get("checked");
            assertThat(checked.get("verdict").asString()).isEqualTo("proved");
            assertThat(checked.get("seed").asInt()).isEqualTo(7);
            assertThat(checked.get("runShape").get("m").asInt()).isEqualTo(456);
        });
        // The raster order is no part of the text, so both trials proved the same one.
        String text = study.get("trials").get(0).get("ptxHash").asString();
        assertThat(study.get("trials").get(1).get("ptxHash").asString()).isEqualTo(text);
        JsonNode known = installation.get("/api/v1/checks/" + text).get("checks");
        assertThat(known).hasSize(1);
        assertThat(known.get(0).get("checked").get("emulator"))
                .isEqualTo(study.get("trials").get(0).get("checked").get("emulator"));
        assertThat(installation.get("/api/v1/best").get("items")).isEmpty();
        aDeletedFenceIsFound();

        service.destroy();
        service.waitFor();
        FileSystemUtils.deleteRecursively(installation.home());
    }

    /** A text of a user goes through the same service, worker and runner. */
    private void aDeletedFenceIsFound() throws Exception {
        Path examples = Path.of("../docs/examples/check");
        String text = JsonMapper.shared()
                .writeValueAsString(Map.of(
                        "ptx", Files.readString(examples.resolve("sm90-gemm-no-fence.ptx")),
                        "launch", Files.readString(examples.resolve("sm90-gemm-no-fence.yaml"))));
        String check = installation.post("/api/v1/text-checks", text).get("id").asString();
        JsonNode found = installation.await("end of the check", () -> {
            JsonNode now = installation.get("/api/v1/text-checks/" + check);
            return now.get("finishedAt").isNull() ? Optional.empty() : Optional.of(now);
        });
        assertThat(found.get("result").get("verdict").asString())
                .as(found.toPrettyString())
                .isEqualTo("hazard");
        JsonNode hazard = found.get("result").get("hazards").get(0);
        assertThat(hazard.get("rule").asString()).isEqualTo("missing-proxy-fence");
        assertThat(hazard.get("excerpt").valueStream().map(JsonNode::asString))
                .anySatisfy(line -> assertThat(line).contains("<- deleted"));
    }
}
