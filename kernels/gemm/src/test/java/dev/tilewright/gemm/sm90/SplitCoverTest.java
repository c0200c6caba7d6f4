package dev.tilewright.gemm.sm90;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.gemm.AssembledCover;
import dev.tilewright.gemm.Configs;
import dev.tilewright.gemm.Cover;
import dev.tilewright.gemm.space.DeviceLimits;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.SearchSpace;
import dev.tilewright.ptx.type.Target;
import dev.tilewright.ptx.verify.Verifier;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The space of a shape with few tiles, which may be split: a cover of it verifies, and its tightest configs assemble.
 */
class SplitCoverTest {

    private static final long SEED = 20261123;
    private static final SearchSpace SPACE = new Sm90Gemm()
            .space()
            .space(Problem.of(ProblemShape.parse("1024x2048x4096"), DataType.BF16), DeviceLimits.of(132));
    private static final AssembledCover ASSEMBLED = new AssembledCover(new Sm90Gemm(), Target.SM_90A);

    @Test
    void everyConfigBuildsAndVerifies() {
        for (Config config : new Cover(SPACE).pairwise(SEED)) {
            assertThat(Verifier.verify(new Sm90Gemm().build(config, true).module()))
                    .as(config.canonical())
                    .isEmpty();
        }
    }

    /** What adds up the pieces takes no register that the epilogue does not. */
    @Test
    void theTightestBudgetsAssembleWithoutSpills() throws Exception {
        List<Config> tightest = List.of(
                Configs.with(
                        "splitK=4 tileN=248 epilogueN=32 registers=0 loadStages=3 scheduler=atomic clusterM=2 multicast=both"),
                Configs.with(
                        "splitK=4 tileN=248 epilogueN=32 registers=0 loadStages=3 scheduler=atomic clusterM=2 clusterN=2"
                                + " multicast=both l2Hint=keepA"),
                Configs.with("splitK=4 tileN=248 epilogueN=32 registers=0 loadStages=3 scheduler=single"),
                Configs.with(
                        "splitK=4 tileM=256 tileN=184 epilogueN=32 loadStages=3 scheduler=atomic clusterM=2 multicast=both"),
                Configs.with("splitK=2 tileM=256 tileN=192 registers=240 loadStages=3 scheduler=atomic clusterN=2"
                        + " multicast=both"),
                Configs.with("splitK=4 mode=pingpong tileN=192 registers=240 scheduler=atomic clusterM=2"
                        + " multicast=both"),
                Configs.with("splitK=2 mode=pingpong tileM=192 tileN=128 registers=240 loadStages=3 scheduler=static"
                        + " l2Hint=keepB"),
                Configs.with("splitK=4 consumers=3 tileM=192 tileN=200 registers=160 loadStages=3 scheduler=atomic"
                        + " clusterM=2 multicast=both l2Hint=keepA"),
                Configs.with("splitK=2 consumers=1 tileN=208 scheduler=atomic clusterN=2 multicast=both"));
        tightest.forEach(config ->
                assertThat(SPACE.violation(config)).as(config.canonical()).isEmpty());
        ASSEMBLED.assemble(tightest);
        ASSEMBLED.assemble(List.of(
                Configs.with("splitK=4 tileM=256 tileN=192 registers=240 typeD=f32 epilogueN=32 majorA=m loadStages=3"
                        + " scheduler=atomic clusterM=2 multicast=both"),
                Configs.with(
                        "splitK=2 tileN=248 epilogueN=32 registers=0 tileK=128 typeA=e4m3 typeB=e4m3 scheduler=atomic"),
                Configs.with(
                        "splitK=4 mode=pingpong tileN=192 typeA=f16 typeB=f16 majorA=m majorB=n scheduler=atomic")));
    }
}
