package dev.tilewright.bundle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.launch.bundle.Bundle;
import dev.tilewright.launch.bundle.BundleFiles;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import dev.tilewright.model.trial.Architecture;
import dev.tilewright.space.SearchSpace;
import dev.tilewright.space.SpaceTree;
import dev.tilewright.space.device.DeviceLimits;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A bundle as a family: its name, its space, what a proof of it runs, and which of its launches can be timed. */
class BundleSpaceTest {

    private static final String DESCRIPTION = """
            name: theirs
            problem:
              a: f16
              b: f16
              d: f32
              conditions:
                - {that: k % 8 == 0, because: rows are loaded by 16 bytes}
            space:
              scheduler: [single, static]
              tileM: [32, 64]
              tileN: [32, 64]
            constraints:
              - {id: notTooLarge, that: tileM * tileN <= 2048, because: registers do not hold more}
            kernel: {template: gemm.ptx}
            launch:
              grid: ["ceildiv(n, tileN)", "ceildiv(m, tileM)"]
              block: 128
              parameters:
                - pointer: A
                - pointer: B
                - pointer: D
            """;

    private static final Problem PROBLEM = Problem.of(new ProblemShape(4100, 8200, 4096), DataType.F16);

    private static BundleSpace space(String description, String target) {
        String text = """
                .version 8.0
                .target %s
                .address_size 64
                .visible .entry gemm_${tileM}_${tileN}_${scheduler}(.param .u64 a, .param .u64 b, .param .u64 d) { ret; }
                """.formatted(target);
        return BundleSpace.of(Bundle.read(BundleFiles.of(Map.of(
                "kernel.yaml",
                description.getBytes(StandardCharsets.UTF_8),
                "gemm.ptx",
                text.getBytes(StandardCharsets.UTF_8)))));
    }

    private static BundleSpace space() {
        return space(DESCRIPTION, "sm_90a");
    }

    private static Problem problem(int m, int n, int k) {
        return space().bundle().problem().of(new ProblemShape(m, n, k), 1);
    }

    private static Config config(int tileM, int tileN) {
        return Config.of(Map.of(
                "scheduler", ParameterValue.of("single"),
                "tileM", ParameterValue.of(tileM),
                "tileN", ParameterValue.of(tileN)));
    }

    @Test
    void aVersionIsTheHashOfItsFiles() {
        BundleSpace space = space();
        BundleName name = BundleName.parse(space.family()).orElseThrow();
        assertThat(name.name()).isEqualTo("theirs");
        assertThat(space.bundle().hash())
                .startsWith(name.version().orElseThrow())
                .hasSize(64);
        assertThat(space.family()).matches("bundle:theirs@[0-9a-f]{16}");
        assertThat(space(DESCRIPTION + "# another\n", "sm_90a").family()).isNotEqualTo(space.family());
        assertThat(BundleName.parse("bundle:theirs").orElseThrow().version()).isEmpty();
        assertThat(BundleName.parse("sm90-gemm")).isEmpty();
    }

    @Test
    void itsKernelsAreForTheGpusOfItsTarget() {
        assertThat(space().architecture()).contains(Architecture.SM90);
        assertThat(space(DESCRIPTION, "sm_80").architecture()).contains(Architecture.SM90);
        assertThat(space(DESCRIPTION, "sm_100a").architecture()).contains(Architecture.SM100);
        assertThat(space().maker()).isEqualTo("bundle-sm90");
        assertThat(BundleName.isMaker(space().maker())).isTrue();
        assertThat(BundleName.architecture(space().maker())).contains(Architecture.SM90);
        assertThat(BundleName.architecture("bundle")).isEmpty();
        assertThat(space().peers()).containsExactly("cublaslt", "sm90-gemm");
        assertThat(space().isModelled()).isFalse();
    }

    @Test
    void asAPeerItHasEachConfigThatKeepsItsConstraints() {
        SpaceTree tree = SpaceTree.of(space().space(problem(64, 96, 104), DeviceLimits.of(132)));
        assertThat(space().rivals(tree))
                .hasSize(6)
                .containsExactlyInAnyOrderElementsOf(tree.configs().toList())
                .doesNotContain(Config.parse("scheduler=single tileM=64 tileN=64"));
    }

    @Test
    void refusesProblemsWithValueAndRule() {
        assertThat(space().refusal(PROBLEM).orElseThrow())
                .startsWith(space().family() + " takes ")
                .contains("D f32", "D f16");
        assertThat(space().refusal(problem(64, 96, 100)).orElseThrow())
                .contains("k % 8 == 0", "k=100", "rows are loaded by 16 bytes");
        assertThat(space().refusal(problem(64, 96, 104))).isEmpty();
    }

    @Test
    void itsConstraintsAreThoseOfTheSpace() {
        SearchSpace space = space().space(problem(64, 96, 64), DeviceLimits.of(132));
        SpaceTree tree = SpaceTree.of(space);
        assertThat(tree.size()).isEqualTo(2 * 3);
        assertThat(space.violation(config(64, 64)).orElseThrow().toString())
                .contains("notTooLarge", "tileM=64 tileN=64", "registers do not hold more");
        assertThat(space().twins(tree, config(32, 64))).hasSize(1);
    }

    /** Nobody divides by 0 in the service. */
    @Test
    void aRuleThatCannotBeComputedIsNotKept() {
        BundleSpace broken = space(
                DESCRIPTION
                        .replace("k % 8 == 0", "k % (m - 64) == 0")
                        .replace("tileM * tileN <= 2048", "2048 / (tileM - 32) > 0"),
                "sm_90a");
        assertThat(broken.refusal(problem(64, 96, 104))).isPresent();
        assertThat(broken.refusal(problem(65, 96, 104))).isEmpty();
        SearchSpace space = broken.space(problem(65, 96, 104), DeviceLimits.of(132));
        assertThat(space.violation(config(32, 64))).isPresent();
        assertThat(space.violation(config(64, 64))).isEmpty();
    }

    @Test
    void aBundleWithoutAKernelIsRefused() {
        assertThatThrownBy(() -> BundleSpace.of(Bundle.read(
                        BundleFiles.of(Map.of("kernel.yaml", DESCRIPTION.getBytes(StandardCharsets.UTF_8))))))
                .hasMessageContaining("gemm.ptx");
    }

    @Test
    void aProofRunsSmallProblemsWithTheSameTails() {
        Problem asked = problem(4100, 8200, 4096);
        assertThat(RunShapes.of(space(), asked, config(32, 64), 4)).isNotEmpty().allSatisfy(run -> {
            assertThat(run.shape().m() % 32).isEqualTo(4100 % 32);
            assertThat(run.shape().n() % 64).isEqualTo(8200 % 64);
            assertThat(run.shape().k() % 32).isZero();
            assertThat(run.flops()).isLessThan(asked.flops() / 1000);
        });
        assertThat(RunShapes.of(space(), problem(20, 30, 40), config(32, 64), 4))
                .containsExactly(problem(20, 30, 40));
        BundleSpace large = space(DESCRIPTION.replace("k % 8 == 0", "k >= 4096"), "sm_90a");
        assertThat(RunShapes.of(large, asked, config(32, 64), 4)).isEmpty();
    }

    @Test
    void gemmsOfPackedOperandsAreTimedWithAnyEpilogue() {
        assertThat(refusal(DESCRIPTION)).isEmpty();
        assertThat(refusal(DESCRIPTION + "epilogue: {steps: \"alpha=2,beta=1,bias-m,relu\", c: bf16, bias: f32}\n"))
                .isEmpty();
        assertThat(refusal(DESCRIPTION + "epilogue: relu,bias,clamp=-1..1\n")).isEmpty();
        assertThat(refusal(DESCRIPTION + "epilogue: {steps: beta=1, c: f64}\n").orElseThrow())
                .startsWith("C of a launch that is timed is of [bf16, f16, f32], and lies as D does, without gaps:"
                        + " [200, 264], got buffer C f64[200, 264] normal");
        assertThat(refusal(DESCRIPTION + "epilogue: {steps: bias, bias: e4m3}\n")
                        .orElseThrow())
                .startsWith("a bias along n of a launch that is timed has 264 numbers of [bf16, f16, f32],"
                        + " or as many for each matrix of a batch, without gaps, got buffer BIAS e4m3[264]");
    }

    /** All matrices of a batch have the same bias, or each has its own. */
    @Test
    void aBiasOfABatchIsTimedInBothForms() {
        assertThat(refusalOfThree("[n]")).isEmpty();
        assertThat(refusalOfThree("[batch, n]")).isEmpty();
        assertThat(refusalOfThree("[batch, n], rowStride: n + 8").orElseThrow())
                .contains("without gaps", "got buffer BIAS bf16[3, 264]");
    }

    private static Optional<String> refusalOfThree(String shapeOfBias) {
        String description = DESCRIPTION.replace("d: f32\n", "d: f32\n  batched: true\n")
                + "  buffers:\n    BIAS: {dtype: bf16, shape: " + shapeOfBias + ", init: normal}\nepilogue: bias\n";
        Bundle bundle = space(description, "sm_90a").bundle();
        Problem problem = bundle.problem().of(new ProblemShape(200, 264, 136), 3);
        return TimedLaunch.refusal(problem, bundle.launch(problem, 132, config(32, 64)));
    }

    private static Optional<String> refusal(String description) {
        Problem problem = problem(200, 264, 136);
        return TimedLaunch.refusal(
                problem, space(description, "sm_90a").bundle().launch(problem, 132, config(32, 64)));
    }

    /** Parameters that are called as ours are may mean something else. */
    @Test
    void whatIsNoExtentSaysNothingOfATile() {
        BundleSpace space = space();
        for (ParameterValue odd : List.of(
                ParameterValue.of("small"),
                ParameterValue.of(0),
                ParameterValue.of(-1),
                ParameterValue.of(999_999_999))) {
            Config config = Config.of(Map.of("tileM", odd, "tileN", ParameterValue.of(32)));
            assertThat(space.blocking(config).rows()).as(odd.toString()).isEqualTo(64);
            assertThat(space.blocking(config).columns()).isEqualTo(32);
        }
    }
}
