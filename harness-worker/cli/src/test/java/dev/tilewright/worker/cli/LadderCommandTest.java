package dev.tilewright.worker.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.bundle.TimedLaunch;
import dev.tilewright.examples.Ladder;
import dev.tilewright.examples.LadderKernel;
import dev.tilewright.model.exchange.FinalResult;
import dev.tilewright.model.exchange.Report;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.Measurement;
import dev.tilewright.model.trial.Mode;
import dev.tilewright.model.trial.Stage;
import dev.tilewright.model.trial.Testbed;
import dev.tilewright.model.trial.TestbedKind;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.ptx.parse.PtxParser;
import dev.tilewright.worker.link.command.CommandFailedException;
import dev.tilewright.worker.link.json.Json;
import dev.tilewright.worker.link.probe.DeviceProbe;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;

class LadderCommandTest {

    static final KernelTimer NO_TIMER = (gpu, problem, kernels, seed) -> {
        throw new IllegalStateException("nothing is timed here");
    };

    private static final DeviceProbe H200 = () -> new DeviceProbe.Found(List.of(new DeviceProbe.Gpu(0, "NVIDIA H200")));
    private static final Testbed TESTBED =
            new Testbed(TestbedKind.CUDA, "NVIDIA H200", "580.1", "ptxas 13.0.88", 132, "factory");

    @TempDir
    private Path folder;

    private record Said(int exit, String out, String err) {}

    private static Said run(DeviceProbe probe, KernelTimer timer, String... arguments) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        StringWriter err = new StringWriter();
        CommandLine line = RootCommand.commandLine(
                Map.of(),
                new LadderCommand(probe, timer, new Printer(new PrintStream(out, true, StandardCharsets.UTF_8))));
        line.setErr(new PrintWriter(err, true));
        int exit = line.execute(arguments);
        return new Said(exit, out.toString(StandardCharsets.UTF_8), err.toString());
    }

    private static Said run(String... arguments) {
        return run(DeviceProbe.NoDriver::new, NO_TIMER, arguments);
    }

    @Test
    void listsTheStepsAsTheGuideShowsThem() throws IOException {
        Said said = run("ladder");

        assertThat(said.exit()).isZero();
        assertThat(said.out().lines().skip(1)).hasSize(13).first().asString().startsWith(" sm90/v0");
        assertThat(Files.readString(Path.of("../../docs/kernels/ladder.md"))).contains(said.out());
        assertThat(run("ladder", "sm100").out().lines().skip(1)).hasSize(7);
        assertThat(run("ladder", "sm100/v6").out().lines().skip(1)).hasSize(1);
    }

    /** The page has a section for each step, and names the file that is read. */
    @Test
    void theGuideExplainsEveryStep() throws IOException {
        String guide = Files.readString(Path.of("../../docs/kernels/ladder.md"));
        for (LadderKernel kernel : Ladder.all()) {
            assertThat(guide).contains("### " + kernel.name() + ": ");
            assertThat(Path.of("../../kernels/examples/src/main/java/dev/tilewright/examples")
                            .resolve(kernel.architecture().toString())
                            .resolve(kernel.source()))
                    .exists();
        }
    }

    /** A runner refuses a launch that is not that of one GEMM of its problem. */
    @Test
    void aRunnerTakesTheLaunchOfEveryStep() {
        Problem problem = LadderKernel.problem(new ProblemShape(1000, 1032, 520));
        for (LadderKernel kernel : Ladder.all()) {
            assertThat(TimedLaunch.refusal(problem, kernel.launch(problem.shape(), 132)))
                    .as(kernel.name())
                    .isEmpty();
        }
    }

    @Test
    void printsThePtxOfOneStep() {
        Said said = run("ladder", "sm90/v3", "--ptx");
        assertThat(said.exit()).isZero();
        assertThat(PtxParser.parse(said.out()))
                .isEqualTo(Ladder.named("sm90/v3").getFirst().module());
    }

    @Test
    void provesAStepAndWritesTheVerdict() throws IOException {
        Path json = folder.resolve("proofs.json");
        Said said = run("ladder", "sm90/v0", "--check", "--seeds", "1", "--json", json.toString());

        assertThat(said.err()).isEmpty();
        assertThat(said.exit()).isZero();
        assertThat(said.out()).startsWith("sm90/v0 200x264x136 on 2 SMs: proved: no hazard and nothing wrong in 1 run");
        JsonNode step =
                Json.mapper().readTree(Files.readAllBytes(json)).get("steps").get(0);
        assertThat(step.get("step").asString()).isEqualTo("sm90/v0");
        assertThat(step.get("proof").get("verdict").asString()).isEqualTo("proved");
    }

    @Test
    void aProofOfAProblemThatIsTooSmallIsShallow() {
        Said said = run("ladder", "sm90/v1", "--check", "--seeds", "1", "--shape", "64x136x72");
        assertThat(said.exit()).isEqualTo(3);
        assertThat(said.out()).startsWith("sm90/v1 64x136x72 on 2 SMs: shallow: ");
    }

    /** A timer that saw these kernels: each is a microsecond faster than the one before, but for those that fail. */
    private static KernelTimer timer(List<String> seen, @Nullable String failing) {
        return (gpu, problem, kernels, seed) -> {
            kernels.forEach(kernel -> {
                seen.add(kernel.name() + " " + kernel.target() + " "
                        + kernel.launch().apply(132).grid().x());
                assertThat(kernel.ptx()).startsWith(".version");
            });
            List<Report.Arm> arms = IntStream.range(0, kernels.size())
                    .mapToObj(i -> arm(kernels.get(i).name(), 10_000 - 1000 * i, failing))
                    .toList();
            return new KernelTimer.Timed(
                    TESTBED, new FinalResult(arms, List.of(), List.of(), List.of(), "").beside(List.of("gpu " + gpu)));
        };
    }

    private static Report.Arm arm(String name, double ns, @Nullable String failing) {
        boolean fails = name.equals(failing);
        List<Measurement> measured = fails
                ? List.of()
                : List.of(new Measurement(Mode.SUSTAINED, Stage.FINAL, 6, 60, ns, ns * 0.99, ns * 1.01, 1500.0));
        return new Report.Arm(
                name,
                null,
                "ladder",
                Config.of(Map.of()),
                fails ? TrialOutcome.MISMATCH : TrialOutcome.COMPLETED,
                0.5,
                measured,
                fails ? "result before timing: 3 elements" : "");
    }

    @Test
    void timesTheStepsOfTheGpuBesideEachOther() throws IOException {
        List<String> seen = new ArrayList<>();
        Path json = folder.resolve("ladder.json");
        Path page = folder.resolve("ladder.md");
        Said said = run(
                H200,
                timer(seen, null),
                "ladder",
                "--time",
                "--shape",
                "1000x1024x512",
                "--json",
                json.toString(),
                "--markdown",
                page.toString());

        assertThat(said.err()).isEmpty();
        assertThat(said.exit()).isZero();
        assertThat(seen).hasSize(6).startsWith("sm90/v0 sm_90a 64").endsWith("sm90/v5 sm_90a 32");
        double tflops = 2.0 * 1000 * 1024 * 512 / 10_000 / 1e3;
        assertThat(said.out())
                .containsPattern("sm90/v0 +10\\.0 +104\\.9 ")
                .contains("1.111")
                .contains("measured on NVIDIA H200 (driver 580.1, 132 SMs, ptxas 13.0.88, clocks factory)")
                .contains("gpu cuda:0");
        JsonNode document = Json.mapper().readTree(Files.readAllBytes(json));
        assertThat(document.get("steps")).hasSize(6);
        assertThat(document.get("steps").get(0).get("tflops").asDouble()).isEqualTo(tflops);
        assertThat(document.get("problem").get("m").asInt()).isEqualTo(1000);
        assertThat(Files.readString(page))
                .contains("| step | us | TFLOP/s |", "| sm90/v5 | 5.00 |", "Written by `tilewright ladder sm90 --time");
    }

    @Test
    void aStepThatFailsIsSaidWithTheReason() {
        Said said = run(H200, timer(new ArrayList<>(), "sm90/v1"), "ladder", "sm90", "--time");
        assertThat(said.exit()).isEqualTo(1);
        assertThat(said.out()).contains("sm90/v1 mismatch: result before timing: 3 elements");
    }

    @Test
    void withoutAGpuNothingIsTimed() {
        assertThat(run("ladder", "sm90/v0", "--time"))
                .isEqualTo(new Said(
                        4,
                        "",
                        "tilewright ladder: --time: there is no NVIDIA driver on this machine; --check needs no GPU"
                                + System.lineSeparator()));
        Said failing = run(() -> new DeviceProbe.Failing("no device"), NO_TIMER, "ladder", "--time");
        assertThat(failing.exit()).isEqualTo(4);
        assertThat(failing.err()).contains("an NVIDIA driver is there but fails: no device");
        KernelTimer broken = (gpu, problem, kernels, seed) -> {
            throw CommandFailedException.infrastructure(gpu + ": the runner ended");
        };
        assertThat(run(H200, broken, "ladder", "--time").exit()).isEqualTo(4);
    }

    @Test
    void aStepOfAnotherArchitectureIsNotTimed() {
        Said said = run(H200, NO_TIMER, "ladder", "sm100/v2", "--time");
        assertThat(said.exit()).isEqualTo(4);
        assertThat(said.err()).contains("sm100/v2 does not run on cuda:0, NVIDIA H200, which is sm90");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "ladder sm90/v6 | STEP: unknown step 'sm90/v6'; known: sm90, sm100, sm90/v0",
                "ladder sm90 --ptx | --ptx: prints one step, got 6; name one, such as sm90/v0",
                "ladder --ptx --check | --check, --ptx: one at a time, got 2",
                "ladder sm90/v0 --shape 1x8x8 | --shape: is for --check or --time",
                "ladder sm90/v0 --ptx --json x.json | --json: is for --check or --time",
                "ladder sm90/v0 --check --device cuda:0 | --device: is for --time",
                "ladder sm90/v0 --time --seeds 2 | --seeds: is for --check",
                "ladder sm90/v0 --check --seeds 0 | --seeds",
                "ladder sm90/v0 --check --shape 64x12x64 | --shape: n must be a multiple of 8, because TMA reads rows of"
                        + " 16-byte chunks, got 12",
                "ladder sm90/v0 --time --device simulated:h200 | --device: steps are timed on one GPU",
                "ladder sm90/v0 --time --device cuda:3 | --device cuda:3: the driver shows 1 GPU(s)",
            })
    void wrongUsageNamesTheValueAndTheRule(String line, String reason) {
        Said said = run(H200, NO_TIMER, line.split(" "));
        assertThat(said.err()).contains(reason);
        assertThat(said.exit()).isEqualTo(2);
    }
}
