package dev.tilewright.gemm.sm90;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.gemm.AssembledCover;
import dev.tilewright.gemm.Configs;
import dev.tilewright.gemm.Cover;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.space.Config;
import dev.tilewright.ptx.type.Target;
import dev.tilewright.ptx.validate.Validator;
import dev.tilewright.space.SearchSpace;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.testing.Selection;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Configs whose tiles are cut along K: the modules of a cover of them are valid, and the tightest assemble. Each run
 * draws some of both, {@code --full} takes all.
 */
class SplitCoverTest {

    private static final long SEED = 20261123;
    private static final int BUILT = 80;
    private static final int ASSEMBLED_OF_TIGHTEST = 4;
    private static final SearchSpace SPACE = new Sm90Gemm()
            .space()
            .space(Problem.of(ProblemShape.parse("1024x2048x4096"), DataType.BF16), DeviceLimits.of(132));
    private static final AssembledCover ASSEMBLED = new AssembledCover(new Sm90Gemm(), Target.SM_90A);

    private static final List<Config> TIGHTEST = configs(
            "splitK=4 tileN=240 epilogueN=32 registers=0 loadStages=3 scheduler=atomic clusterM=2 multicast=both",
            "splitK=4 tileN=240 epilogueN=32 registers=0 loadStages=3 scheduler=atomic clusterM=2 clusterN=2"
                    + " multicast=both l2Hint=keepA",
            "splitK=4 tileN=240 epilogueN=32 registers=0 loadStages=3 scheduler=single",
            "splitK=4 tileM=256 tileN=184 epilogueN=32 loadStages=3 scheduler=atomic clusterM=2 multicast=both",
            "splitK=2 tileM=256 tileN=192 registers=240 loadStages=3 scheduler=atomic clusterN=2" + " multicast=both",
            "splitK=4 mode=pingpong tileN=192 registers=240 scheduler=atomic clusterM=2 multicast=both",
            "splitK=2 mode=pingpong tileM=192 tileN=128 registers=240 loadStages=3 scheduler=static l2Hint=keepB",
            "splitK=4 consumers=3 tileM=192 tileN=200 registers=160 loadStages=3 scheduler=atomic clusterM=2"
                    + " multicast=both l2Hint=keepA",
            "splitK=2 consumers=1 tileN=200 scheduler=atomic clusterN=2 multicast=both",
            // Roles that held what they have in common spilled these.
            "splitK=4 tileN=224 epilogueN=32 epilogueStages=3 registers=240 loadStages=2 scheduler=atomic"
                    + " clusterM=2 multicast=both swizzle=64",
            "splitK=4 mode=pingpong tileM=64 tileN=136 epilogueN=32 epilogueStages=3 clusterN=2 swizzle=64"
                    + " loadStages=6 scheduler=static",
            "splitK=2 tileN=64 epilogueN=32 epilogueStages=3 registers=240 loadStages=6 scheduler=atomic"
                    + " clusterM=2 clusterN=2 multicast=a l2Hint=keepA",
            // Loads of many pieces are under way at a time.
            "splitK=8 tileM=256 tileN=192 registers=240 loadStages=3 scheduler=atomic clusterN=2 multicast=both",
            "splitK=8 tileN=240 epilogueN=32 registers=0 loadStages=3 scheduler=atomic clusterM=2 clusterN=2"
                    + " multicast=both l2Hint=keepA",
            "splitK=7 consumers=3 tileM=192 tileN=200 registers=160 loadStages=3 scheduler=static clusterM=2"
                    + " clusterN=4 multicast=both l2Hint=keepA",
            "splitK=8 mode=pingpong tileN=192 registers=240 scheduler=atomic clusterM=4 clusterN=2 multicast=both",
            "splitK=5 consumers=1 tileN=200 scheduler=single clusterM=2 clusterN=4 multicast=both",
            "splitK=8 ctasPerSm=2 registers=0 consumers=1 tileM=64 tileN=144 loadStages=3 scheduler=static");

    private static final List<Config> OF_OTHER_TYPES = configs(
            "splitK=4 tileM=256 tileN=192 registers=240 typeD=f32 epilogueN=32 majorA=m loadStages=3"
                    + " scheduler=atomic clusterM=2 multicast=both",
            "splitK=2 tileN=240 epilogueN=32 registers=0 tileK=128 typeA=e4m3 typeB=e4m3 scheduler=atomic",
            "splitK=4 mode=pingpong tileN=192 typeA=f16 typeB=f16 majorA=m majorB=n scheduler=atomic");

    private static List<Config> configs(String... changes) {
        return Stream.of(changes).map(Configs::with).toList();
    }

    @Test
    void configsBuildAndValidate() {
        for (Config config : Selection.of(new Cover(SPACE).pairwise(SEED), BUILT)) {
            assertThat(Validator.validate(new Sm90Gemm().build(config, true).module()))
                    .as(config.canonical())
                    .isEmpty();
        }
    }

    /** What adds up the pieces takes no register that the epilogue does not. */
    @Test
    void theTightestBudgetsAssembleWithoutSpills() throws Exception {
        TIGHTEST.forEach(config ->
                assertThat(SPACE.violation(config)).as(config.canonical()).isEmpty());
        ASSEMBLED.assemble(Selection.of(TIGHTEST, ASSEMBLED_OF_TIGHTEST));
        ASSEMBLED.assemble(Selection.of(OF_OTHER_TYPES, 1));
    }
}
