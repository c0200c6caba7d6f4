package dev.tilewright.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.gate.GateAnswers;
import dev.tilewright.api.gate.GateScript;
import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.RunningService;
import dev.tilewright.api.testing.RunningService.Service;
import dev.tilewright.api.testing.ScriptedWorker;
import dev.tilewright.launch.document.DocumentReader;
import dev.tilewright.launch.document.Node;
import dev.tilewright.model.exchange.GpuTask;
import dev.tilewright.model.exchange.GpuTaskResult.Compared;
import dev.tilewright.model.trial.TrialOutcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The shell steps of {@code docs/ci} with the program as it is built, a service, and a GPU that answers from a script.
 */
@ExtendWith(RunningService.class)
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class CiStepsIT {

    private static final Path CI = Path.of("..", "docs", "ci");

    @TempDir
    private Path folder;

    private Path checkout;

    @BeforeEach
    void machine() throws Exception {
        Path launcher = LaunchedVerb.launcher();
        checkout = Files.createDirectories(folder.resolve("checkout"));
        Files.writeString(checkout.resolve("tilewright.yaml"), """
                gate: gemm
                baseline: {kernel: before}
                kernels:
                  now: {family: toy, config: {scheduler: static, tileM: 64, tileN: 128, rasterGroup: 2}}
                  before: {family: toy, config: {scheduler: static, tileM: 128, tileN: 64, rasterGroup: 1}}
                problems: {square: 640x384x256}
                """);
        Path program = Files.createDirectories(folder.resolve("archive/tilewright-worker"))
                .resolve("tilewright");
        Files.writeString(program, "#!/bin/sh\nexec '" + launcher + "' \"$@\"\n");
        assertThat(program.toFile().setExecutable(true)).isTrue();
        Path gh = Files.createDirectories(folder.resolve("bin")).resolve("gh");
        Files.writeString(gh, """
                #!/bin/sh
                while [ $# -gt 0 ]; do
                  case "$1" in
                    --method) echo "$2" >> '%1$s/gh.log' ;;
                    --input) cat "$2" >> '%1$s/gh.log' ;;
                    --jq) echo 4711 ;;
                  esac
                  shift
                done
                """.formatted(folder));
        assertThat(gh.toFile().setExecutable(true)).isTrue();
        String commit = "git init -q && git add -A && git -c user.name=ann -c user.email=a@example.org commit -qm gate";
        assertThat(shell(commit, Map.of())).isZero();
        assertThat(shell("tar -cJf ../archive.txz -C ../archive tilewright-worker", Map.of()))
                .isZero();
    }

    private int shell(String script, Map<String, String> variables) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder("bash", "-e", "-c", script).directory(checkout.toFile());
        builder.environment().putAll(variables);
        builder.environment()
                .putAll(Map.of(
                        "HOME",
                        folder + "/home",
                        "TILEWRIGHT_NO_BUILD",
                        "1",
                        "GITHUB_REPOSITORY",
                        "ann/kernels",
                        "PATH",
                        folder.resolve("bin") + ":" + System.getenv("PATH")));
        builder.redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.appendTo(log().toFile()));
        return builder.start().waitFor();
    }

    private Path log() {
        return folder.resolve("log");
    }

    private static Node.Mapping yaml(String name) throws IOException {
        return DocumentReader.read(Files.readString(CI.resolve(name)), false).mapping();
    }

    private static String github(String name) throws IOException {
        return yaml("github-actions.yml").get("jobs").mapping().get("gate").mapping().get("steps").items().stream()
                .map(Node::mapping)
                .filter(step -> step.find("name").map(Node::text).equals(Optional.of(name)))
                .map(step -> step.get("run").text())
                .findFirst()
                .orElseThrow();
    }

    private static String gitlab() throws IOException {
        return yaml("gitlab-ci.yml").get("gate").mapping().get("script").items().stream()
                .map(Node::text)
                .collect(Collectors.joining("\n"));
    }

    private static Function<GpuTask.Compare, Compared> gpu(String how) {
        return task -> switch (how) {
            case "equal" -> GateAnswers.asAsked(task);
            case "slower" -> task.measureEqual() ? GateAnswers.asAsked(task) : GateAnswers.slower(task, 3);
            case "wrong" ->
                task.measureEqual()
                        ? GateAnswers.asAsked(task)
                        : GateAnswers.ended(task, TrialOutcome.MISMATCH, "error ratio 3.4 at row 5");
            case "untrustworthy" -> GateAnswers.slower(task, 3);
            default -> throw new AssertionError(how);
        };
    }

    /** Runs a script while the service moves runs on and the GPU answers; without one, the run is cancelled. */
    private int run(Api api, Service service, String how, String script) throws Exception {
        GateScript gate = new GateScript(api, service);
        if (how.equals("usage")) {
            Files.writeString(checkout.resolve("tilewright.yaml"), "gate: gemm\n");
        }
        Optional<ScriptedWorker> worker = how.equals("usage") || how.equals("cancelled")
                ? Optional.empty()
                : Optional.of(ScriptedWorker.cuda(api, 0));
        int[] exit = {-1};
        Thread steps = Thread.ofPlatform().start(() -> {
            try {
                exit[0] = shell(
                        script,
                        Map.of(
                                "TILEWRIGHT_API", api.uri("/").toString(),
                                "TILEWRIGHT_ARCHIVE",
                                        folder.resolve("archive.txz").toUri().toString(),
                                "ACCEPTED", "0",
                                "GITHUB_STEP_SUMMARY",
                                        folder.resolve("summary.md").toString()));
            } catch (IOException | InterruptedException failed) {
                throw new IllegalStateException(failed);
            }
        });
        while (steps.isAlive()) {
            if (worker.isPresent()) {
                gate.workOff(worker.get(), gpu(how));
            } else {
                api.get(GateScript.GATE + "/runs")
                        .expect(200)
                        .at("/items")
                        .forEach(one ->
                                api.post("/api/v1/gate-runs/" + one.get("id").asString() + "/cancel", "{}"));
            }
            steps.join(100);
        }
        return exit[0];
    }

    @ParameterizedTest
    @CsvSource({"equal, 0", "slower, 1", "wrong, 1", "usage, 2", "untrustworthy, 3", "cancelled, 4"})
    void theStepsOfGithubReachEveryCode(String how, int exit, Api api, Service service) throws Exception {
        String script = github("install") + "\n" + github("announce") + "\n" + github("gate");
        assertThat(run(api, service, how, script)).as(Files.readString(log())).isEqualTo(exit);
        assertThat(Files.exists(checkout.resolve("gate-reports/gate.sarif"))).isEqualTo(!how.equals("usage"));
        if (!how.equals("usage")) {
            assertThat(shell(github("check"), Map.of())).isZero();
            String conclusion = switch (exit) {
                case 0 -> "success";
                case 3 -> "neutral";
                default -> "failure";
            };
            assertThat(Files.readString(folder.resolve("gh.log")))
                    .containsSubsequence("POST", "in_progress", "PATCH", "\"conclusion\" : \"" + conclusion + "\"");
        }
    }

    @ParameterizedTest
    @CsvSource({"equal, 0", "slower, 1", "usage, 2", "untrustworthy, 3", "cancelled, 4"})
    void theScriptOfGitlabReachesEveryCode(String how, int exit, Api api, Service service) throws Exception {
        assertThat(run(api, service, how, gitlab())).as(Files.readString(log())).isEqualTo(exit);
        assertThat(Files.exists(checkout.resolve("gate-reports/code-quality.json")))
                .isEqualTo(!how.equals("usage"));
    }
}
