package dev.tilewright.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.gemm.family.GemmFamilies;
import dev.tilewright.model.problem.Epilogue;
import dev.tilewright.model.problem.OperandMajors;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.problem.Scales;
import dev.tilewright.model.problem.Scenario;
import dev.tilewright.model.space.Config;
import dev.tilewright.proof.emulation.ProofPlan;
import dev.tilewright.space.sm90.Sm90Config;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Kernels multiply the products of each block of 128 along K with the scales of the block. */
class BlockScalesProofTest {

    private static final String BASE = "clcThrottle=none clusterM=1 clusterN=1 consumers=2 epilogueN=32 gridSize=0"
            + " loadStages=3 mode=cooperative multicast=none rasterGroup=4 rasterOrder=alongM registers=232 scales=block"
            + " scheduler=static swizzle=128 tileK=128 tileLocation=raster tileM=128 tileN=64 waitDepth=0";

    private static Problem problem(String shape, String types, String steps) {
        return new Problem(
                List.of(ProblemShape.parse(shape)),
                1,
                OperandTypes.parse(types),
                OperandMajors.DEFAULT,
                Scenario.QUIET,
                Epilogue.parse(steps),
                Scales.BLOCK);
    }

    private static Config config(Problem problem, String parameters) {
        Config whole = Config.parse(BASE)
                .with("typeA=" + problem.types().a() + " typeB="
                        + problem.types().b())
                .with(parameters);
        return problem.epilogue().isNone() ? whole : whole.with("epilogue=" + problem.epilogue());
    }

    /**
     * The shapes have a last block of K of 32, and an M that is no multiple of 4. Warpgroups of 96, 112, 160 and 192
     * columns lie in two blocks of N; 34 blocks of K are more than a warp has lanes. Those of 128 and 192 rows and more
     * than 64 columns go over a stage for each 64 rows.
     */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "200x384x640 | tileN=64                                      | e4m3,e4m3,bf16 |",
                "197x328x416 | tileN=128                                     | e4m3,e5m2,bf16 | bias",
                "197x200x416 | swapAB=1 tileM=72 tileN=128 epilogueN=32      | e4m3,e4m3,bf16 |",
                "16x1160x544 | swapAB=1 tileM=16 tileN=128 epilogueN=32      | e4m3,e4m3,bf16 |",
                "130x392x544 | mode=pingpong tileM=64 tileN=128              | e5m2,e4m3,bf16 | bias,relu",
                "261x200x416 | tileM=256 tileN=64 scheduler=atomic typeD=f32 | e4m3,e4m3,f32  |",
                "133x648x416 | tileM=64 tileN=256 typeD=f16                  | e4m3,e4m3,f16  |",
                "134x200x672 | splitK=2 tileN=128                            | e4m3,e4m3,bf16 |",
                "16x1160x800 | clusterK=2 swapAB=1 tileM=16 tileN=128        | e4m3,e4m3,bf16 | bias",
                "134x200x672 | clusterK=2 tileN=128                          | e4m3,e4m3,bf16 |",
                "130x392x800 | clusterK=2 mode=pingpong tileM=64 tileN=128   | e5m2,e4m3,bf16 |",
                "263x264x416 | clusterM=2 multicast=both                     | e4m3,e4m3,bf16 |",
                "130x264x416 | clusterN=2 multicast=both tileN=96            | e4m3,e4m3,bf16 |",
                "70x200x416  | tileM=64 consumers=1 registers=0 tileN=16 epilogueN=16 | e4m3,e4m3,bf16 |",
                "133x200x544 | tileN=48                                      | e4m3,e4m3,bf16 | bias",
                "133x400x544 | tileN=192 registers=240                       | e4m3,e4m3,bf16 |",
                "261x264x416 | tileM=256 tileN=128 registers=240            | e4m3,e4m3,bf16 | bias",
                "200x264x544 | tileM=192 tileN=128                          | e4m3,e4m3,bf16 |",
                "130x392x544 | mode=pingpong tileM=128 tileN=128 registers=240 | e4m3,e5m2,bf16 |",
                "70x680x288  | tileM=64 consumers=1 registers=0 tileN=160    | e4m3,e4m3,bf16 |",
                "65x352x288  | tileM=64 consumers=1 registers=0 tileN=112 epilogueN=16 | e4m3,e4m3,bf16 |",
                "67x328x4256 | tileM=64 consumers=1 registers=0 tileN=128    | e4m3,e4m3,bf16 |",
                "24x648x4512 | swapAB=1 tileM=24 tileN=128 epilogueN=32      | e4m3,e4m3,bf16 |",
                "67x136x9600 | tileM=64 consumers=1 registers=0 splitK=2     | e4m3,e4m3,bf16 |",
            })
    void kernelsOfHopper(String shape, String parameters, String types, String steps) {
        proved(shape, parameters, types, steps);
    }

    /** A stage at once, and for each 64 rows. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "65x328x416  | tileM=64 consumers=1 registers=0 tileN=128 | e4m3,e4m3,bf16 |",
                "193x680x416 | tileM=256 tileN=128 registers=240          | e4m3,e4m3,bf16 |",
            })
    void eitherWayThroughAStage(String shape, String parameters, String types, String steps) {
        proved(shape, parameters, types, steps);
    }

    private static void proved(String shape, String parameters, String types, String steps) {
        Problem problem = problem(shape, types, steps == null ? "" : steps);

        Proof proof = new Prover(GemmFamilies.standard())
                .prove("sm90-gemm", problem, config(problem, parameters), new ProofPlan(2, 2, 2));

        assertThat(proof).as(proof.summary() + proof.details()).isInstanceOf(Proof.Proved.class);
        assertThat(proof.subject().run()).isEqualTo(problem);
    }

    @Test
    void whatHasNoScaleOfItsOwnIsRefused() {
        Problem problem = problem("200x384x640", "e4m3,e4m3,bf16", "");
        assertThatThrownBy(() -> Sm90Config.of(config(problem, "tileN=72")))
                .hasMessage("with block scales the columns of a warpgroup must be a multiple of 16, got 72 of tileN ="
                        + " 72");
        assertThatThrownBy(() -> Sm90Config.of(config(problem, "tileN=176")))
                .hasMessage("with block scales the columns of a warpgroup must be of two blocks of 128 at the most, got"
                        + " 176 of tileN = 176");
        assertThatThrownBy(() -> Sm90Config.of(config(problem, "tileK=256")))
                .hasMessage("tileK must be 128 with block scales, which are of so many elements, got 256");
        assertThatThrownBy(() -> Sm90Config.of(config(problem, "waitDepth=1")))
                .hasMessage("waitDepth must be 0 with block scales, which are multiplied block by block, got 1");
    }
}
