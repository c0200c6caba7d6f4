package dev.tilewright.gemm.sm90;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.gemm.AssembledCover;
import dev.tilewright.gemm.Configs;
import dev.tilewright.gemm.Cover;
import dev.tilewright.gemm.GemmKernel;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import dev.tilewright.ptx.type.Target;
import dev.tilewright.ptx.validate.Validator;
import dev.tilewright.space.SearchSpace;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.space.sm90.Sm90Config;
import dev.tilewright.testing.ResultFile;
import dev.tilewright.testing.Selection;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Configs of the declared cover build, and their modules are valid and assemble: some that each run draws, or with
 * {@code --full} all of it.
 */
class CoverTest {

    /** Where {@code test --figures} writes what it saw; tests run in the folder of their module. */
    private static final Path FIGURES = Path.of("../../docs/results/cover/sm90-gemm.columns");

    private static final long SEED = 20261121;
    private static final int BUILT = 150;
    private static final int ASSEMBLED_OF_ALL = 8;

    private static final SearchSpace SPACE = new Sm90Gemm()
            .space()
            .space(Problem.of(ProblemShape.parse("4096x14336x4096"), DataType.BF16), DeviceLimits.of(132));

    private static final Cover COVER = new Cover(SPACE);
    private static final AssembledCover ASSEMBLED = new AssembledCover(new Sm90Gemm(), Target.SM_90A);

    private static final Set<Config> PAIRWISE = COVER.pairwise(SEED);

    private static Set<Config> all() {
        Set<Config> all = new LinkedHashSet<>(PAIRWISE);
        all.addAll(COVER.corners());
        return all;
    }

    @Test
    void everyPairThatGoesTogetherIsCovered() {
        Set<Cover.Pair> covered = new HashSet<>();
        PAIRWISE.forEach(config -> covered.addAll(COVER.pairs(config)));
        assertThat(covered).isEqualTo(COVER.possiblePairs());
        assertThat(PAIRWISE).hasSizeBetween(20, 1000);
        assertThat(PAIRWISE)
                .allSatisfy(config -> assertThat(SPACE.violation(config)).isEmpty());
        assertThat(COVER.corners()).hasSizeGreaterThan(100);
    }

    @Test
    void configsBuildAndValidate() {
        Sm90Gemm family = new Sm90Gemm();
        for (Config config : Selection.of(all(), BUILT)) {
            for (boolean traced : List.of(false, true)) {
                GemmKernel kernel = family.build(config, traced);
                assertThat(Validator.validate(kernel.module()))
                        .as(config.canonical())
                        .isEmpty();
                // A table of maps is read through a proxy fence that came later.
                String version = config.name("tileLocation").equals("table") ? "8.3" : "8.0";
                assertThat(kernel.text())
                        .as(config.canonical())
                        .startsWith(".version " + version + "\n.target sm_90a\n");
                assertThat(kernel.module().entry(Sm90Gemm.ENTRY).dynamicShared().bytes())
                        .as(config.canonical())
                        .isEqualTo(Sm90Config.of(config).sharedBytes());
            }
        }
    }

    @Test
    void aSampleAssemblesWithoutSpills() throws Exception {
        ASSEMBLED.assemble(Selection.of(all(), ASSEMBLED_OF_ALL));
    }

    @Test
    @Tag("full")
    void allOfItAssemblesWithoutSpills() throws Exception {
        ASSEMBLED.write(List.copyOf(all()), ResultFile.of(FIGURES));
    }

    /** Accumulators and working registers are exactly what a thread may have, with and without redistribution. */
    @Test
    void theTightestBudgetsAssembleWithoutSpills() throws Exception {
        List<Config> tightest = List.of(
                Configs.with("tileN=272 registers=0 loadStages=3 scheduler=atomic clusterM=2 multicast=both"),
                Configs.with("tileM=256 tileN=200 loadStages=3 scheduler=atomic clusterM=2 multicast=both"),
                Configs.with(
                        "tileM=256 tileN=208 registers=240 loadStages=3 scheduler=atomic clusterN=2 multicast=both"),
                Configs.with("mode=pingpong tileN=208 registers=240 scheduler=atomic clusterM=2 multicast=both"),
                Configs.with(
                        "mode=pingpong tileM=192 tileN=136 registers=240 loadStages=3 scheduler=atomic l2Hint=keepB"),
                Configs.with("consumers=3 tileM=192 tileN=200 registers=160 loadStages=3 scheduler=atomic clusterM=2"
                        + " multicast=both l2Hint=keepA"),
                Configs.with("tileM=192 tileN=272 registers=240 loadStages=3 epilogueN=32 scheduler=atomic clusterM=2"
                        + " multicast=both"),
                Configs.with("consumers=1 tileN=216 scheduler=atomic clusterN=2 multicast=both"));
        tightest.forEach(config ->
                assertThat(SPACE.violation(config)).as(config.canonical()).isEmpty());
        ASSEMBLED.assemble(tightest);
    }

    /** The same where two CTAs share an SM; the same number of stages less would leave half of its shared memory. */
    @Test
    void theTightestBudgetsOfTwoCtasAssembleWithoutSpills() throws Exception {
        String two = "ctasPerSm=2 loadStages=2 scheduler=atomic clusterM=2 multicast=both ";
        List<Config> tightest = List.of(
                Configs.with(two + "consumers=1 tileN=88"),
                Configs.with(two + "consumers=1 tileN=128").with("registers", ParameterValue.of(160)),
                Configs.with(two + "consumers=1 tileN=200").with("registers", ParameterValue.of(232)),
                Configs.with(two + "consumers=1 tileM=64 tileN=200 l2Hint=keepB")
                        .with("registers", ParameterValue.of(160)),
                Configs.with(two + "registers=0 tileN=80 epilogueN=32"),
                Configs.with(two + "registers=0 tileN=80 epilogueStages=3 epilogueN=32 l2Hint=keepA"));
        tightest.forEach(config ->
                assertThat(SPACE.violation(config)).as(config.canonical()).isEmpty());
        ASSEMBLED.assemble(tightest);
    }
}
