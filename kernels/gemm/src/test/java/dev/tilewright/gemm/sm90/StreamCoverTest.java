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
import dev.tilewright.model.space.ParameterValue;
import dev.tilewright.model.space.SearchSpace;
import dev.tilewright.ptx.type.Target;
import dev.tilewright.ptx.verify.Verifier;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Configs whose clusters share tiles: a cover of them verifies, and the tightest assemble. */
class StreamCoverTest {

    private static final long SEED = 20261124;
    private static final SearchSpace SPACE = new Sm90Gemm()
            .space()
            .space(Problem.of(ProblemShape.parse("2000x3080x4096"), DataType.BF16), DeviceLimits.of(132))
            .restrict(Map.of("streamK", List.of(ParameterValue.of("remainder"))));
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
                Configs.with("streamK=remainder tileN=248 epilogueN=32 registers=0 loadStages=3 clusterM=2"
                        + " multicast=both"),
                Configs.with("streamK=remainder tileN=248 epilogueN=32 registers=0 loadStages=3 clusterN=2"
                        + " multicast=both l2Hint=keepA"),
                Configs.with("streamK=remainder tileM=256 tileN=184 epilogueN=32 loadStages=3 clusterM=2"
                        + " multicast=both"),
                Configs.with("streamK=remainder tileM=256 tileN=184 epilogueN=32 loadStages=3 clusterN=2"
                        + " multicast=both l2Hint=keepB"),
                Configs.with("streamK=remainder tileM=256 tileN=192 registers=240 loadStages=3 clusterN=2"
                        + " multicast=both"),
                Configs.with("streamK=remainder tileM=256 tileN=192 registers=240 loadStages=3 clusterM=2"
                        + " multicast=both"),
                Configs.with("streamK=remainder mode=pingpong tileN=192 registers=240 clusterM=2 multicast=both"),
                Configs.with("streamK=remainder mode=pingpong tileM=192 tileN=128 registers=240 loadStages=3"
                        + " l2Hint=keepB"),
                Configs.with("streamK=remainder mode=pingpong tileN=184 clusterM=2 multicast=both"),
                Configs.with("streamK=remainder consumers=3 tileM=192 tileN=200 registers=160 loadStages=3 clusterM=2"
                        + " multicast=both l2Hint=keepA"),
                Configs.with("streamK=remainder consumers=1 tileN=208 clusterN=2 multicast=both"),
                Configs.with("streamK=remainder ctasPerSm=2 registers=0 consumers=1 tileM=64 tileN=144 loadStages=3"),
                Configs.with("streamK=remainder ctasPerSm=2 registers=0 tileN=56 epilogueN=32 loadStages=3"));
        ASSEMBLED.assemble(tightest);
        ASSEMBLED.assemble(List.of(
                Configs.with("streamK=remainder tileM=256 tileN=192 registers=240 typeD=f32 epilogueN=32 majorA=m"
                        + " loadStages=3 clusterM=2 multicast=both"),
                Configs.with("streamK=remainder tileN=248 epilogueN=32 registers=0 tileK=128 typeA=e4m3 typeB=e4m3"),
                Configs.with("streamK=remainder mode=pingpong tileN=192 registers=240 typeA=f16 typeB=f16 majorA=m"
                        + " majorB=n")));
    }
}
