package dev.tilewright.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.trial.Architecture;
import dev.tilewright.proof.emulation.ProofPlan;
import dev.tilewright.proof.file.CheckOptions;
import dev.tilewright.proof.file.FileReport;
import dev.tilewright.proof.file.FileVerdict;
import dev.tilewright.proof.file.KernelFile;
import dev.tilewright.ptx.parse.PtxParser;
import dev.tilewright.ptx.validate.Validator;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class LadderTest {

    private static final Path SOURCES = Path.of("src/main/java/dev/tilewright/examples");
    private static final int SEEDS = 2;
    private static final long PATIENCE = 2_000_000;

    static Stream<LadderKernel> steps() {
        return Ladder.all().stream();
    }

    private static KernelFile proof(LadderKernel kernel, String text) {
        return kernel.file(text, kernel.step().facts().proofShape(), new ProofPlan(LadderKernel.PROOF_SMS, 1, SEEDS));
    }

    private static FileVerdict verdict(KernelFile file) {
        return file.check(new CheckOptions(PATIENCE, (run, runs, seed, steps) -> {}))
                .verdict();
    }

    @Test
    void bothLaddersGoFromOneTileToTheWholeKernel() {
        assertThat(Ladder.of(Architecture.SM90))
                .extracting(LadderKernel::name)
                .hasSize(6)
                .startsWith("sm90/v0")
                .endsWith("sm90/v5");
        assertThat(Ladder.of(Architecture.SM100))
                .extracting(LadderKernel::name)
                .hasSize(7)
                .startsWith("sm100/v0")
                .endsWith("sm100/v6");
        assertThat(Ladder.named("sm100/v6").getFirst().text()).contains("clusterlaunchcontrol.try_cancel");
        assertThat(Ladder.all().stream().map(LadderKernel::text).distinct()).hasSize(13);
    }

    /** Every ring wraps three times or more, so that none is proved by phases that it never reached again. */
    @ParameterizedTest
    @MethodSource("steps")
    void everyStepIsProved(LadderKernel kernel) {
        KernelFile file = proof(kernel, kernel.text());
        var checked = file.check(new CheckOptions(PATIENCE, (run, runs, seed, steps) -> {}));
        assertThat(checked.verdict())
                .as(() -> String.join("\n", new FileReport(file).verdict(checked)))
                .isInstanceOf(FileVerdict.Proved.class);
        assertThat(checked.verdict().accepted()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("steps")
    void everyStepIsValidAndReadsBack(LadderKernel kernel) {
        assertThat(Validator.validate(kernel.module())).isEmpty();
        assertThat(PtxParser.parse(kernel.text())).isEqualTo(kernel.module());
    }

    @ParameterizedTest
    @MethodSource("steps")
    void everyStepAssemblesWithoutSpills(LadderKernel kernel) throws Exception {
        Ptxas.assumePresent();
        String report = Ptxas.report(kernel.target(), kernel.text());
        assertThat(report)
                .as(kernel.name())
                .contains("0 bytes spill stores, 0 bytes spill loads")
                .doesNotContain("C75")
                .doesNotContain("warning");
    }

    /** A step without one of its lines is refuted: what stands in the text is needed, and the proof sees it. */
    @ParameterizedTest
    @CsvSource({
        "sm90/v0, fence.proxy.async.shared::cta",
        "sm90/v1, wgmma.wait_group.sync.aligned 1",
        "sm90/v1, wgmma.wait_group.sync.aligned 0",
        "sm90/v2, wgmma.fence",
        "sm90/v4, barrier.cluster.wait",
        "sm90/v5, wgmma.wait_group.sync.aligned 1",
        "sm90/v5, bra WAIT_4", // the load thread ends before its last stage is handed back
        "sm100/v1, tcgen05.fence::after_thread_sync",
        "sm100/v4, tcgen05.fence::before_thread_sync",
        "sm100/v6, fence.proxy.async::generic.release",
    })
    void aStepWithoutALineIsRefuted(String name, String line) {
        LadderKernel kernel = Ladder.named(name).getFirst();
        String text = kernel.text();
        int at = text.indexOf(line);
        assertThat(at).as(line).isPositive();
        String without = text.substring(0, text.lastIndexOf('\n', at)) + text.substring(text.indexOf('\n', at));
        assertThat(verdict(proof(kernel, without))).isInstanceOf(FileVerdict.Hazardous.class);
    }

    /** A ring of more stages would leave an SM to fewer CTAs. */
    @Test
    void threeCtasOfTheFirstStepsShareTheSharedMemoryOfAnSm() {
        int ofAnSm = 228 << 10;
        int reserved = 1 << 10;
        for (String name : List.of("sm90/v0", "sm90/v1")) {
            int bytes = Ladder.named(name)
                    .getFirst()
                    .module()
                    .entry("gemm")
                    .dynamicShared()
                    .bytes();
            assertThat(3 * (bytes + reserved)).as(name).isLessThanOrEqualTo(ofAnSm);
        }
        assertThat(Ladder.named("sm90/v1").getFirst().text()).contains(".minnctapersm 3");
    }

    /** Two CTAs of 128 x 256, one below the other, are a cluster tile: 8192 x 8192 has 32 x 32 of them. */
    @Test
    void theColumnsOfATileAreThoseOfTheLaunch() {
        for (String name : List.of("sm90/v4", "sm90/v5")) {
            LadderKernel step = Ladder.named(name).getFirst();
            assertThat(step.launch(new ProblemShape(8192, 8192, 512), 4096)
                            .grid()
                            .x())
                    .as(name)
                    .isEqualTo(2 * 32 * 32);
        }
    }

    /** The issue asks for kernels that are read from top to bottom. */
    @Test
    void aStepIsOneFileOfSixtyToOneHundredAndFiftyLines() throws IOException {
        for (LadderKernel kernel : Ladder.all()) {
            String file = kernel.source();
            List<String> lines = Files.readAllLines(
                    SOURCES.resolve(kernel.architecture().toString()).resolve(file));
            assertThat(lines).as(kernel.name()).hasSizeBetween(60, 150);
            assertThat(lines).as("table of roles of " + kernel.name()).contains(" * <pre>");
        }
    }

    @Test
    void anUnknownStepIsRefusedWithTheKnownOnes() {
        assertThatThrownBy(() -> Ladder.named("sm90/v6"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("unknown step 'sm90/v6'; known: sm90, sm100, sm90/v0, sm90/v1, sm90/v2, sm90/v3, sm90/v4,"
                        + " sm90/v5, sm100/v0, sm100/v1, sm100/v2, sm100/v3, sm100/v4, sm100/v5, sm100/v6");
    }

    @Test
    void aShapeThatTmaCannotReadIsRefused() {
        LadderKernel step = Ladder.named("sm90/v4").getFirst();
        assertThatThrownBy(() -> step.launch(new ProblemShape(128, 12, 64), 132))
                .hasMessage("n must be a multiple of 8, because TMA reads rows of 16-byte chunks, got 12");
        assertThatThrownBy(() -> step.launch(new ProblemShape(128, 16, 65), 132))
                .hasMessage("k must be a multiple of 8, because TMA reads rows of 16-byte chunks, got 65");
        assertThatThrownBy(() -> step.launch(new ProblemShape(128, 16, 64), 1))
                .hasMessage("a cluster of 2 CTAs needs as many SMs, got 1");
    }
}
