package dev.tilewright.worker.cli.program;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.gate.decision.ProgramDecision;
import dev.tilewright.gate.decision.StageDecision;
import dev.tilewright.gate.document.Effect;
import dev.tilewright.gate.document.GateVerdict;
import dev.tilewright.gate.document.Margins;
import dev.tilewright.testing.Python;
import dev.tilewright.worker.cli.RootCommand;
import dev.tilewright.worker.link.command.ExitCode;
import dev.tilewright.worker.link.process.GpuTurn;
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
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** Two real processes that take turns; what a step takes is said by their own clock, which nothing else moves. */
@Timeout(120)
class GateProgramCommandTest {

    private static final String TORCH = "import types\ncuda = types.SimpleNamespace(is_available=lambda: False,"
            + " _lazy_call=lambda call: call())\n" + ProgramStandIns.MODULES;

    private static final String PROGRAM = ProgramStandIns.CLOCK + """
            import torch, engine
            drawn = random.Random("tilewright_pack" in sys.modules)
            class Inner(torch.nn.Module):
                def forward(self):
                    fast = "tilewright_pack" in sys.modules and sys.modules["tilewright_pack"].serves()
                    now[0] += int(CALL * (FACTOR if fast else 1) * drawn.gauss(1, 0.002))
            class Outer(torch.nn.Module):
                inner = Inner()
                def forward(self):
                    self.inner()
                    self.inner()
            outer = Outer()
            for _ in range(STEPS):
                engine.Engine().step(outer)
            print("the program is done")
            sys.exit(CODE)
            """;

    /** Of an older PyTorch, which does not know the UUID of a GPU. */
    private static final String DEVICE = "current_device=lambda: 0, get_device_properties=lambda index: None, ";

    @TempDir
    private Path folder;

    private record Seen(int exit, List<String> out, String err) {}

    @BeforeEach
    void writePython() throws IOException {
        Files.createDirectories(folder.resolve("pack"));
        Files.writeString(folder.resolve("pack/pack.json"), "{}");
        Files.writeString(folder.resolve("pack/__init__.py"), ProgramStandIns.PACK);
        Files.writeString(folder.resolve("torch.py"), TORCH);
        Files.writeString(
                folder.resolve("engine.py"),
                "class Engine:\n    def step(self, model):\n        model()\n        return model()\n");
    }

    private Seen gate(double factor, int steps, int code, String... options) throws IOException {
        return gate("1e6", factor, steps, code, options);
    }

    /** @param callNs nanoseconds that a call of the model takes by the clock of the program */
    private Seen gate(String callNs, double factor, int steps, int code, String... options) throws IOException {
        Files.writeString(
                folder.resolve("program.py"),
                PROGRAM.replace("CALL", callNs)
                        .replace("FACTOR", String.valueOf(factor))
                        .replace("STEPS", String.valueOf(steps))
                        .replace("CODE", String.valueOf(code)));
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PrintStream stream = new PrintStream(out, true, StandardCharsets.UTF_8);
        StringWriter err = new StringWriter();
        CommandLine verbs = RootCommand.commandLine(
                Map.of(), new CommandLine(new GateProgramCommand(Map.of(), stream, stream)).setStopAtPositional(true));
        verbs.setErr(new PrintWriter(err, true));
        List<String> arguments = new ArrayList<>(
                List.of("program", "--pack", folder.resolve("pack").toString()));
        arguments.addAll(List.of(options));
        arguments.addAll(List.of(
                "--",
                "env",
                "PYTHONDONTWRITEBYTECODE=1",
                Python.program(),
                folder.resolve("program.py").toString()));
        int exit = verbs.execute(arguments.toArray(String[]::new));
        return new Seen(exit, out.toString(StandardCharsets.UTF_8).lines().toList(), err.toString());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"0.94 | 0 | faster", "1 | 0 | pass", "1.03 | 1 | fail"})
    void aProgramIsTimedWithAndWithoutThePack(double factor, int exit, String verdict) throws IOException {
        Seen seen = gate(factor, 1_000_000, 0);

        assertThat(seen.exit()).as(seen.toString()).isEqualTo(exit);
        assertThat(seen.out())
                .anyMatch(line -> line.matches(
                        "without the pack 2\\.\\d+ ms a step, with pack 0123456789abcdef \\d\\.\\d+ ms; \\d+ steps of"
                                + " each in a block"))
                .anyMatch(line -> line.startsWith("effect: time of a step "))
                .anyMatch(line -> line.startsWith("sentinel equal: pass"))
                .anyMatch(line -> line.startsWith("sentinel slowed by 2 %: fail"))
                .last()
                .asString()
                .startsWith("verdict: " + verdict + ", ");
        if (verdict.equals("faster")) {
            assertThat(seen.out())
                    .anyMatch(line -> line.matches(
                            "6\\.\\d\\d % faster \\[\\d\\.\\d\\d, \\d\\.\\d\\d] from end to end, in \\d+ blocks"));
        }
    }

    /** As on an H200, of a program whose host varies. */
    @Test
    void aVerdictThatStandsOverAnOpenSentinelIsOk() {
        ProgramTimes seen = seen(-19.65, -12.28);

        assertThat(GateProgramCommand.exit(seen)).isEqualTo(ExitCode.OK);
        assertThat(GateProgramCommand.lines(seen, "0123456789abcdef"))
                .containsExactly(
                        "without the pack 15.906 ms a step, with pack 0123456789abcdef 13.872 ms; 50 steps of each in a"
                                + " block, in 25 turns, since its times vary",
                        "19.00 % faster [14.00, 24.46] from end to end, in 40 blocks",
                        "effect: time of a step -15.97 % [-19.65, -12.28] in 40 blocks",
                        "sentinel equal: inconclusive, that of equal",
                        "sentinel slowed by 2 %: fail, that of slowed",
                        "verdict: faster, sentinel equal shows the times to be right to +-0.99 % only; widened by"
                                + " that the effect is [-20.64, -11.29], which shows that the program is faster by"
                                + " more than 0.50 %");
    }

    @Test
    void anIntervalThatIsOpenWithTheErrorOfASentinelIsNoVerdict() {
        ProgramTimes seen = seen(-1.02, 0.08);

        assertThat(GateProgramCommand.exit(seen)).isEqualTo(ExitCode.INCONCLUSIVE);
        assertThat(GateProgramCommand.lines(seen, "0123456789abcdef").getLast())
                .isEqualTo(
                        "no verdict: sentinel equal shows the times to be right to +-0.99 % only; widened by that the"
                                + " effect is [-2.01, +1.07], which leaves open whether the program is slower by more"
                                + " than 1 %");
    }

    private static ProgramTimes seen(double low, double high) {
        StageDecision effect = decided(GateVerdict.FASTER, low, high, "that of the effect");
        StageDecision equal = decided(GateVerdict.INCONCLUSIVE, -0.99, 0.88, "that of equal");
        StageDecision slowed = decided(GateVerdict.FAIL, 1.02, 3.48, "that of slowed");
        return new ProgramTimes(
                50,
                25,
                15.906e6,
                13.872e6,
                effect,
                equal,
                slowed,
                ProgramDecision.of(Margins.STANDARD, effect, equal, slowed));
    }

    private static StageDecision decided(GateVerdict verdict, double low, double high, String reason) {
        double middle = (low + high) / 2;
        return new StageDecision(
                verdict, new Effect(middle, low, high, 0.99, 40, 40, middle, 1.5, 1, 0.5, 0.5, 0), 40, reason);
    }

    @Test
    void aFunctionMayBeTheStep() throws IOException {
        Seen seen = gate(0.94, 1_000_000, 0, "--step", "engine:Engine.step");

        assertThat(seen.exit()).as(seen.toString()).isZero();
        // Two calls of the model, of two calls of 1 ms each.
        assertThat(seen.out()).anyMatch(line -> line.startsWith("without the pack 4."));
    }

    @Test
    void theProgramsWaitForAWorkerThatMeasuresOnTheirGpu() throws IOException, InterruptedException {
        String gpu = UUID.randomUUID().toString();
        Files.writeString(
                folder.resolve("torch.py"),
                TORCH.replace(
                        "is_available=lambda: False",
                        "is_available=lambda: True, get_device_name=lambda: 'x', synchronize=lambda: None, "
                                + "is_current_stream_capturing=lambda: False, current_device=lambda: 1, "
                                + "get_device_properties=lambda index: types.SimpleNamespace(uuid='"
                                + gpu + "' if index == 1 else None)"));
        GpuTurn worker = GpuTurn.take("GPU-" + gpu, () -> {});
        Thread.ofVirtual().start(() -> {
            try {
                Thread.sleep(3000);
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
            worker.close();
        });

        Seen seen = gate(0.94, 1_000_000, 0);

        assertThat(seen.exit()).as(seen.toString()).isZero();
        assertThat(seen.out())
                .anyMatch(line -> line.startsWith("another process of this machine measures on the GPU"))
                .last()
                .asString()
                .startsWith("verdict: faster, ");
        GpuTurn.take("GPU-" + gpu, () -> {}).close();
        for (String end : List.of(".turn", ".next")) {
            Files.delete(Path.of(System.getProperty("java.io.tmpdir"), "tilewright-gpus", "GPU-" + gpu + end));
        }
    }

    @Test
    void programsThatEndAreNoVerdict() throws IOException {
        Seen seen = gate(1, 30, 0);
        assertThat(seen.exit()).isEqualTo(4);
        assertThat(seen.err())
                .containsPattern(
                        "the program with(out)? the pack ended with 0 before enough of its steps were timed: let"
                                + " it run longer; it printed:\n  the program is done");
        Seen failed = gate(1, 30, 3);
        assertThat(failed.err()).containsPattern("the program with(out)? the pack ended with 3; it printed:\n");
        Seen without = gate(1, 0, 0);
        assertThat(without.exit()).isEqualTo(4);
        assertThat(without.err()).contains("the program without the pack ended with 0 before enough");
    }

    @Test
    void aProgramThatEnablesThePackItselfIsNoPlainOne() throws IOException {
        Files.writeString(
                folder.resolve("engine.py"),
                "import pack\npack.enable()\n" + Files.readString(folder.resolve("engine.py")));
        Seen seen = gate(0.94, 1_000_000, 0);
        assertThat(seen.exit()).isEqualTo(2);
        assertThat(seen.err()).contains("the program enables the pack 0123456789abcdef itself: take that out of it");
    }

    @Test
    void whatIsCapturedOrForkedIsNoStep() throws IOException {
        Files.writeString(
                folder.resolve("torch.py"),
                TORCH.replace(
                                "is_available=lambda: False",
                                "is_available=lambda: True, get_device_name=lambda: 'x', synchronize=synchronize, "
                                        + DEVICE
                                        + "is_current_stream_capturing=lambda: capturing[0]")
                        .replace("import types\n", """
                                import os, types
                                capturing = [False]
                                def synchronize():
                                    assert not capturing[0] and os.getpid() == first, "in a graph or a fork"
                                first = os.getpid()
                                """));
        Files.writeString(folder.resolve("engine.py"), """
                import os, torch
                class Engine:
                    def step(self, model):
                        torch.capturing[0] = True
                        model()
                        torch.capturing[0] = False
                        child = os.fork()
                        if child == 0:
                            model()
                            os._exit(0)
                        assert os.waitpid(child, 0)[1] == 0
                        return model()
                """);
        // A step of 4 s fills a block alone: each step forks, which takes long.
        Seen seen = gate("1e9", 0.94, 1_000_000, 0, "--seconds", "1", "--warm-up", "1");
        assertThat(seen.out())
                .as(seen.toString())
                .anyMatch(line -> line.matches("without the pack (39|40)\\d{2}\\..*; 1 steps of each in a block"));
    }

    /** A GPU that waits runs at a higher clock behind it, if power limits it. */
    @Test
    void theGpuMultipliesDuringALongWait() throws IOException {
        Path waits = folder.resolve("waits");
        Files.writeString(
                folder.resolve("torch.py"),
                TORCH.replace(
                                "is_available=lambda: False",
                                "is_available=lambda: True, get_device_name=lambda: 'x', synchronize=lambda: None, "
                                        + DEVICE
                                        + "is_current_stream_capturing=lambda: False")
                        .replace("import types\n", """
                                import time, types
                                int8 = "int8"
                                Generator = lambda device: types.SimpleNamespace(manual_seed=lambda seed: "own")
                                def randint(*_, generator, **__):
                                    assert generator == "own", "the program's random numbers would change"
                                    return "factor"
                                def _int_mm(a, b):
                                    with open("WAITS", "a") as file:
                                        print(a, b, file=file)
                                    for _ in range(10):
                                        time.perf_counter_ns()
                                """.replace("WAITS", waits.toString())));

        Seen ofMicroseconds = gate("1e6", 0.94, 1_000_000, 0, "--seconds", "1", "--warm-up", "1");
        assertThat(ofMicroseconds.out()).anyMatch(line -> line.startsWith("sentinel slowed by 2 %: "));
        assertThat(waits).doesNotExist();
        gate("1e9", 0.94, 1_000_000, 0, "--seconds", "1", "--warm-up", "1");
        assertThat(Files.readAllLines(waits)).containsOnly("factor factor");
    }

    /** A process that a step forks is free again, as one that loads data must be. */
    @Test
    void aBlockStaysOnOneCore() throws IOException {
        Path seenCores = folder.resolve("cores");
        Files.writeString(folder.resolve("engine.py"), """
                import os
                whole = len(os.sched_getaffinity(0))
                class Engine:
                    def step(self, model):
                        mine = len(os.sched_getaffinity(0))
                        child = os.fork()
                        if child == 0:
                            with open("CORES", "a") as file:
                                print(mine, len(os.sched_getaffinity(0)), whole, file=file)
                            os._exit(0)
                        os.waitpid(child, 0)
                        return model()
                """.replace("CORES", seenCores.toString()));
        gate("1e9", 0.94, 1_000_000, 0, "--seconds", "1", "--warm-up", "3");

        List<String> lines = Files.readAllLines(seenCores);
        String whole = lines.getFirst().split(" ")[2];
        assertThat(lines)
                .contains(whole + " " + whole + " " + whole)
                .contains("1 " + whole + " " + whole)
                .allMatch(line -> line.endsWith(" " + whole + " " + whole));
    }

    @Test
    void aPackThatIsOffIsNamed() throws IOException {
        Files.writeString(folder.resolve("pack/__init__.py"), ProgramStandIns.PACK.replace("!= \"off\"", "== \"on\""));
        Seen seen = gate(1, 1_000_000, 0);
        assertThat(seen.exit()).isEqualTo(4);
        assertThat(seen.err())
                .contains("the pack is off; it printed:\n  tilewright pack 0123456789abcdef: off: there is no GPU");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--step __main__:step | --step: names a function of a module that the program imports",
                "--step engine | --step: names a function of a module that the program imports",
                "--warm-up 0 | --warm-up",
                "--fail 0 | --fail",
                "--seconds 0 | --seconds"
            })
    void faultsAreNamed(String options, String message) throws IOException {
        Seen seen = gate(1, 1, 0, options.split(" "));
        assertThat(seen.exit()).isEqualTo(2);
        assertThat(seen.err()).contains(message);
    }
}
