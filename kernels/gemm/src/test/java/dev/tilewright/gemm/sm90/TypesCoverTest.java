package dev.tilewright.gemm.sm90;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.gemm.AssembledCover;
import dev.tilewright.gemm.Configs;
import dev.tilewright.gemm.Cover;
import dev.tilewright.gemm.GemmKernel;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Major;
import dev.tilewright.model.problem.OperandMajors;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.problem.Scenario;
import dev.tilewright.model.space.Config;
import dev.tilewright.ptx.type.Target;
import dev.tilewright.ptx.validate.Validator;
import dev.tilewright.space.SearchSpace;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.space.sm90.Sm90Config;
import dev.tilewright.testing.Selection;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A cover of the space of other types and layouts builds, and every module is valid, and a sample of it assembles. Each
 * run draws some combinations of types and layouts, {@code --full} takes all.
 */
class TypesCoverTest {

    private static final long SEED = 20261122;
    private static final int SAMPLE = 2;
    private static final int FULL_SAMPLE = 24;
    private static final AssembledCover ASSEMBLED = new AssembledCover(new Sm90Gemm(), Target.SM_90A);

    private static final int DRAWN = 3;

    private static final List<Problem> ALL = List.of(
            problem(DataType.F16, DataType.F16, DataType.F16, Major.K, Major.K),
            problem(DataType.BF16, DataType.BF16, DataType.F32, Major.K, Major.K),
            problem(DataType.BF16, DataType.BF16, DataType.BF16, Major.M, Major.K),
            problem(DataType.BF16, DataType.BF16, DataType.BF16, Major.K, Major.N),
            problem(DataType.F16, DataType.F16, DataType.F32, Major.M, Major.N),
            problem(DataType.E4M3, DataType.E4M3, DataType.BF16, Major.K, Major.K),
            problem(DataType.E5M2, DataType.E4M3, DataType.F32, Major.K, Major.K));

    private static final List<Problem> PROBLEMS = Selection.of(ALL, DRAWN);

    static List<Problem> problems() {
        return PROBLEMS;
    }

    private static Problem problem(DataType a, DataType b, DataType d, Major majorA, Major majorB) {
        return new Problem(
                List.of(ProblemShape.parse("4096x14336x4096")),
                1,
                new OperandTypes(a, b, d),
                new OperandMajors(majorA, majorB, Major.N),
                Scenario.QUIET);
    }

    /** Found once for all tests: rare pairs take their time. */
    private static final Map<Problem, List<Config>> PAIRWISE =
            PROBLEMS.stream().collect(Collectors.toMap(problem -> problem, TypesCoverTest::pairwise));

    private static List<Config> pairwise(Problem problem) {
        SearchSpace space = new Sm90Gemm().space().space(problem, DeviceLimits.of(132));
        return List.copyOf(new Cover(space).pairwise(SEED));
    }

    @ParameterizedTest
    @MethodSource("problems")
    void everyConfigBuildsValidatesAndIsLaunched(Problem problem) {
        Sm90Gemm family = new Sm90Gemm();
        List<Config> configs = PAIRWISE.get(problem);
        assertThat(configs).hasSizeGreaterThan(10);
        for (Config config : configs) {
            GemmKernel kernel = family.build(config, true);
            assertThat(Validator.validate(kernel.module()))
                    .as(config.canonical())
                    .isEmpty();
            // A table of maps is read through a proxy fence that came later.
            String version = config.name("tileLocation").equals("table") ? "8.3" : "8.0";
            assertThat(kernel.text()).as(config.canonical()).startsWith(".version " + version + "\n.target sm_90a\n");
            int bytes = kernel.module().entry(Sm90Gemm.ENTRY).dynamicShared().bytes();
            assertThat(bytes)
                    .as(config.canonical())
                    .isEqualTo(Sm90Config.of(config).sharedBytes());
            assertThat(kernel.launch(problem, DeviceLimits.of(132), config).dynamicSharedBytes())
                    .isEqualTo(bytes);
        }
    }

    private static List<Config> sample(int size) {
        List<Config> all = new ArrayList<>();
        for (Problem problem : PROBLEMS) {
            List<Config> configs = new ArrayList<>(PAIRWISE.get(problem));
            Collections.shuffle(configs, new Random(SEED));
            all.addAll(configs.subList(0, Math.min(size, configs.size())));
        }
        return all;
    }

    @Test
    void aSampleAssemblesWithoutSpills() throws Exception {
        ASSEMBLED.assemble(sample(SAMPLE));
    }

    /** Accumulators and working registers are exactly what a thread may have: storing f32 or scaling takes no more. */
    @Test
    void theTightestBudgetsAssembleWithoutSpills() throws Exception {
        String cluster = " loadStages=3 scheduler=atomic clusterM=2 multicast=both ";
        ASSEMBLED.assemble(List.of(
                Configs.with("tileN=256 registers=0 typeD=f32 epilogueN=32", cluster),
                Configs.with("tileM=256 tileN=192 typeD=f32 epilogueN=32 majorA=m", cluster),
                Configs.with("mode=pingpong tileN=192 typeA=f16 typeB=f16 majorA=m majorB=n scheduler=atomic"),
                Configs.with("tileN=256 registers=0 tileK=128 typeA=e4m3 typeB=e4m3", cluster),
                Configs.with("tileM=256 tileN=192 tileK=128 typeA=e5m2 typeB=e4m3 typeD=f32 epilogueN=32", cluster)));
    }

    @Test
    @Tag("full")
    void aLargeSampleAssemblesWithoutSpills() throws Exception {
        ASSEMBLED.assemble(sample(FULL_SAMPLE));
    }
}
