package dev.tilewright.system.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.util.FileSystemUtils;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A user's bundle from the command line through the whole of the real service to its proofs. */
class BundleSweepIT {

    private static final Path EXAMPLE =
            Path.of("../docs/examples/bundles/ptx-bias-relu").toAbsolutePath();

    private Installation installation = new Installation(Path.of("nowhere"), Path.of("nowhere"));

    /** What the command line left. */
    private record Said(int exit, String output) {}

    @BeforeEach
    void place() throws IOException {
        installation = Installation.placed("bundle");
    }

    @AfterEach
    void leaveNothingBehind() {
        installation.destroy();
    }

    private Said tune(String... more) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of(installation.launcher().toString(), "tune"));
        command.addAll(List.of(more));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("TILEWRIGHT_HOME", installation.home().toString());
        builder.environment().remove("DATABASE_URL");
        builder.environment().remove("TILEWRIGHT_USER_TOKEN");
        Process process = builder.start();
        String output = new String(process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        return new Said(process.waitFor(), output);
    }

    private JsonNode trials(Path result) throws IOException {
        return JsonMapper.shared().readTree(Files.readString(result)).at("/studies/0/trials");
    }

    @Test
    @Timeout(value = 20, unit = TimeUnit.MINUTES)
    void provesWhatIsRightRefutesWhatIsWrongAndRefusesToPredict() throws Exception {
        Process service = installation.serve("emulated");
        installation.await("service", installation::api);
        Path result = installation.home().resolve("result.json");

        Said right = tune(
                "--bundle",
                EXAMPLE.toString(),
                "--shape",
                "1000x72x2001",
                "--device",
                "emulated",
                "--json",
                result + "");
        assertThat(right.exit()).as(right.output() + installation.logs()).isZero();
        assertThat(right.output()).contains("tuning bundle:ptx-bias-relu@");
        assertThat(trials(result)).hasSize(3).allSatisfy(trial -> {
            assertThat(trial.get("outcome").asString())
                    .as(trial.get("log").asString())
                    .isEqualTo("completed");
            assertThat(trial.get("checked").get("verdict").asString()).isEqualTo("proved");
            assertThat(trial.get("family").asString()).startsWith("bundle:ptx-bias-relu@");
        });

        Path wrong = Files.createDirectories(installation.home().resolve("wrong"));
        for (String file : List.of("kernel.yaml", "gemm.ptx")) {
            Files.writeString(
                    wrong.resolve(file),
                    Files.readString(EXAMPLE.resolve(file)).replace("max.f32 %sum, %sum, 0f00000000;", ""));
        }
        Said refuted = tune(
                "--bundle", wrong.toString(), "--shape", "1000x72x2001", "--device", "emulated", "--json", result + "");
        assertThat(refuted.exit()).as(refuted.output()).isEqualTo(1);
        assertThat(trials(result))
                .hasSize(3)
                .allSatisfy(trial -> assertThat(trial.get("outcome").asString()).isEqualTo("mismatch"));

        Said refused = tune("--family", "bundle:ptx-bias-relu", "--shape", "64x72x80", "--device", "simulated:h200");
        assertThat(refused.exit()).as(refused.output()).isEqualTo(2);
        assertThat(refused.output()).contains("--family: no model of a GPU knows the kernels of bundle:ptx-bias-relu@");

        service.destroy();
        service.waitFor();
        FileSystemUtils.deleteRecursively(installation.home());
    }
}
