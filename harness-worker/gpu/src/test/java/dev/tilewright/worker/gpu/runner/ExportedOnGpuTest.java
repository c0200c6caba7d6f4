package dev.tilewright.worker.gpu.runner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.gate.statistics.Quantiles;
import dev.tilewright.model.exchange.ProblemDocument;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.Mode;
import dev.tilewright.model.trial.Stage;
import dev.tilewright.proof.export.KernelExport;
import dev.tilewright.worker.gpu.measure.BusyMeter;
import dev.tilewright.worker.gpu.measure.Effects;
import dev.tilewright.worker.gpu.measure.Run;
import dev.tilewright.worker.gpu.measure.SameClock;
import dev.tilewright.worker.gpu.measure.Timed;
import dev.tilewright.worker.gpu.measure.TimingPlan;
import dev.tilewright.worker.gpu.stats.Effect;
import dev.tilewright.worker.gpu.verify.KernelOracle;
import dev.tilewright.worker.gpu.verify.OperandSet;
import dev.tilewright.worker.gpu.verify.TestData;
import dev.tilewright.worker.link.Cubin;
import dev.tilewright.worker.link.json.Json;
import dev.tilewright.worker.link.runner.Kernel;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What {@code export} writes does outside what the kernel does inside: the same bits, in the same time. Both are
 * launched from one process, on the same operands and in mirrored blocks at one clock. The cases are the winners of the
 * twelve shapes on an H200, and five other problems. {@code -Dexports.json=FILE} writes what was found.
 */
class ExportedOnGpuTest extends OnGpu {

    private static final int BLOCKS = 40;
    private static final double ALPHA = 0.01;
    private static final double TOLERANCE = 0.01;

    /** A kernel that is exported. */
    private record Case(ProblemDocument problem, String config) {
        @Override
        public String toString() {
            return problem.toString();
        }
    }

    /**
     * What was found of one.
     *
     * @param slower by how much the export is slower, a log-ratio, with its bounds at 1 % each
     * @param toolUs median time of a launch by the tool, in microseconds
     * @param clockMhz median of the clock of all runs
     */
    private record Finding(
            String problem,
            String config,
            String device,
            int sets,
            boolean sameBits,
            double slower,
            double low,
            double high,
            double toolUs,
            double exportUs,
            double clockMhz) {}

    private final List<Finding> findings = new ArrayList<>();

    @TempDir
    private Path folder;

    private static Stream<Case> exported() throws IOException {
        try (InputStream cases = ExportedOnGpuTest.class.getResourceAsStream("exported.json")) {
            return Stream.of(Json.mapper().readValue(Objects.requireNonNull(cases), Case[].class));
        }
    }

    @ParameterizedTest
    @MethodSource
    void exported(Case asked) throws IOException, InterruptedException {
        Problem problem = asked.problem().problem();
        Config config = Config.parse(asked.config());
        bench.anchors().leaveAllBut(problem);
        TestData data = bench.store().get(problem, SEED);
        KernelExport export = KernelExport.of(FAMILY, problem, config, limits());
        byte[] cubin = assembled(export);
        Kernel.Assembled kernel = new Kernel.Assembled(new Cubin(cubin), export.launch(), 0);
        try (LoadedKernel tool = LoadedCubin.load(gpu, "tool", kernel, data);
                ExportedLibrary library = new ExportedLibrary(
                        folder, export.program("exported", Optional.of(cubin)), data.sets(), gpu.stream())) {
            List<Long> bits = new ArrayList<>();
            OperandSet first = data.sets().getFirst();
            for (Runnable launch : List.<Runnable>of(() -> tool.enqueue(0), () -> library.enqueue(0))) {
                gpu.fill(first.d().address(), 0xFFC5_FFC5, first.d().bytes());
                launch.run();
                bits.add(new KernelOracle(gpu, new BusyMeter(gpu))
                        .checksum(first.d().address(), first.d().bytes()));
            }
            SameClock clock = new SameClock(bench.stopwatch(), TimingPlan.STANDARD, Stage.FINAL, SEED);
            clock.settle(List.of(tool, library), bench.plan().settle());
            assertThat(clock.run(List.of(tool, library), BLOCKS)).isTrue();
            Timed timed = clock.timed();
            Effect effect = Effects.of(timed, "tool", "export", ALPHA, SEED);
            Finding found = new Finding(
                    asked.toString(),
                    asked.config(),
                    gpu.info().name(),
                    data.sets().size(),
                    bits.getFirst().equals(bits.getLast()),
                    effect.mean(),
                    effect.low(),
                    effect.high(),
                    microseconds(timed, "tool"),
                    microseconds(timed, "export"),
                    median(timed.runs("tool", Mode.SUSTAINED).stream()
                            .mapToDouble(run -> run.smClockMhz().orElse(0))));
            findings.add(found);
            System.out.println(Json.mapper().writeValueAsString(found));
            assertThat(found.sameBits()).as("bits of D").isTrue();
            assertThat(Math.abs(found.slower())).isLessThan(TOLERANCE);
        }
    }

    /** By ptxas, as a worker has it: the driver's own assembler makes other machine code of some texts. */
    private byte[] assembled(KernelExport export) throws IOException, InterruptedException {
        Path cubin = folder.resolve("kernel.cubin");
        Files.writeString(folder.resolve("kernel.ptx"), export.ptx());
        Process ptxas = new ProcessBuilder("ptxas", "-arch", export.target(), "kernel.ptx", "-o", "kernel.cubin")
                .directory(folder.toFile())
                .inheritIO()
                .start();
        assertThat(ptxas.waitFor()).as("ptxas").isZero();
        return Files.readAllBytes(cubin);
    }

    private static double microseconds(Timed timed, String arm) {
        return median(timed.runs(arm, Mode.SUSTAINED).stream().mapToDouble(Run::launchNs)) / 1e3;
    }

    private static double median(DoubleStream values) {
        return Quantiles.median(values.toArray());
    }

    @AfterAll
    void write() throws IOException {
        String file = System.getProperty("exports.json");
        if (file != null) {
            Json.writeAtomically(Path.of(file), Json.mapper().writeValueAsBytes(findings));
        }
    }
}
