package dev.tilewright.gemm.sm90;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.gemm.AssembledCover;
import dev.tilewright.gemm.Configs;
import dev.tilewright.gemm.Cover;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import dev.tilewright.ptx.PtxModule;
import dev.tilewright.ptx.type.Target;
import dev.tilewright.ptx.validate.Validator;
import dev.tilewright.space.SearchSpace;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.space.sm90.Sm90Config;
import dev.tilewright.testing.Selection;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Configs whose clusters share the depth of a tile: the modules of a cover of them are valid and have the shared memory
 * that the space says, and the tightest assemble. Each run draws some of both, {@code --full} takes all.
 */
class ClusterPartsCoverTest {

    private static final long SEED = 20261128;
    private static final int BUILT = 60;
    private static final int ASSEMBLED_OF_TIGHTEST = 3;
    private static final SearchSpace SPACE = new Sm90Gemm()
            .space()
            .space(Problem.of(ProblemShape.parse("192x4096x4096"), DataType.BF16), DeviceLimits.of(132));
    private static final AssembledCover ASSEMBLED = new AssembledCover(new Sm90Gemm(), Target.SM_90A);

    private static final List<Config> TIGHTEST = Stream.of(
                    "clusterK=2 tileN=240 epilogueN=32 registers=0 loadStages=2 scheduler=single",
                    "clusterK=4 tileN=240 epilogueN=32 registers=0 loadStages=2 scheduler=atomic",
                    "clusterK=2 tileM=192 tileN=184 consumers=3 registers=160 epilogueN=32 loadStages=2"
                            + " scheduler=static clusterN=2 multicast=both",
                    "clusterK=2 mode=pingpong tileM=64 tileN=184 epilogueN=32 loadStages=3 scheduler=atomic",
                    "clusterK=8 consumers=1 tileM=64 tileN=192 loadStages=3 scheduler=single",
                    "clusterK=8 swapAB=1 consumers=1 tileM=96 tileN=64 epilogueN=32 loadStages=4 scheduler=single",
                    "clusterK=2 ctasPerSm=2 registers=0 consumers=1 tileM=64 tileN=96 loadStages=3 scheduler=static")
            .map(Configs::with)
            .toList();

    private static final List<Config> OF_OTHER_TYPES = Stream.of(
                    "clusterK=4 swapAB=1 tileM=16 tileN=128 tileK=128 scales=block typeA=e4m3 typeB=e4m3"
                            + " waitDepth=0 epilogueN=32 scheduler=single",
                    "clusterK=4 tileM=128 tileN=64 tileK=128 scales=block typeA=e4m3 typeB=e4m3 waitDepth=0"
                            + " scheduler=static",
                    "clusterK=2 tileN=128 typeD=f32 epilogueN=32 majorA=m loadStages=3 scheduler=atomic")
            .map(Configs::with)
            .toList();

    @Test
    void configsBuildAndValidate() {
        SearchSpace parts = SPACE.restrict(
                Map.of("clusterK", List.of(ParameterValue.of(2), ParameterValue.of(4), ParameterValue.of(8))));
        for (Config config : Selection.of(new Cover(parts).pairwise(SEED), BUILT)) {
            PtxModule module = new Sm90Gemm().build(config, true).module();
            assertThat(Validator.validate(module)).as(config.canonical()).isEmpty();
            assertThat(module.entries().getFirst().dynamicShared().bytes())
                    .as(config.canonical())
                    .isEqualTo(Sm90Config.of(config).sharedBytes());
        }
    }

    @Test
    void theTightestBudgetsAssembleWithoutSpills() throws Exception {
        TIGHTEST.forEach(config ->
                assertThat(SPACE.violation(config)).as(config.canonical()).isEmpty());
        ASSEMBLED.assemble(Selection.of(TIGHTEST, ASSEMBLED_OF_TIGHTEST));
        ASSEMBLED.assemble(Selection.of(OF_OTHER_TYPES, 1));
    }
}
