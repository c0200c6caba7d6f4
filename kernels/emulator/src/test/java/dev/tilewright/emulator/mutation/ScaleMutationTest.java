package dev.tilewright.emulator.mutation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.emulator.gemm.GemmCase;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * A kernel that takes the scale of a neighbour, on whichever side, or of another block of K, or leaves a scale out, is
 * reported.
 */
class ScaleMutationTest {

    private static final String EIGHT_BITS = "typeA=e4m3 typeB=e4m3 tileK=128 loadStages=3 scales=row ";

    private static final String BLOCKS = "typeA=e4m3 typeB=e4m3 tileK=128 loadStages=3 waitDepth=0 scales=block ";

    /**
     * Of as many loads as columns in a panel every so manieth is changed; the number is odd, so that both sides are.
     */
    private static final int STRIDE = 5;

    /** Loads of the scales of B behind the first 32 blocks of K. */
    private static final String LATER = "laterScalesB";

    private static List<Mutant> mutants(MutationSuite suite, GemmCase kernel) {
        return MutantGenerator.of(kernel.kernel().module(), "gemm", suite.swizzle(kernel.config())).stream()
                .filter(mutant -> mutant.rule() == Rule.EPILOGUE)
                .toList();
    }

    private static void neighboursAreReported(MutationSuite suite, GemmCase kernel) {
        List<Mutant> mutants = mutants(suite, kernel).stream()
                .filter(mutant -> !mutant.description().contains(LATER))
                .toList();
        assertThat(mutants).as("loads of scales, on either side").hasSizeGreaterThan(4 * STRIDE);
        areReported(
                suite,
                kernel,
                IntStream.range(0, mutants.size())
                        .filter(i -> i % STRIDE == 0)
                        .mapToObj(mutants::get)
                        .toList());
    }

    private static void areReported(MutationSuite suite, GemmCase kernel, List<Mutant> mutants) {
        MutationRun run = new MutationRun(suite, kernel);
        for (Mutant mutant : mutants) {
            assertThat(run.outcome(mutant)).as(mutant.description()).isNotInstanceOf(Outcome.Survived.class);
        }
    }

    @Test
    void onHopper() {
        neighboursAreReported(
                MutationSuite.SM90,
                new GemmCase(
                        EIGHT_BITS + "consumers=1 registers=0 tileM=64 tileN=64 epilogueN=32",
                        72,
                        136,
                        144,
                        GemmCase.Data.INTEGERS,
                        true));
    }

    @Test
    void onHopperWithSwappedOperands() {
        neighboursAreReported(
                MutationSuite.SM90,
                new GemmCase(
                        EIGHT_BITS + "tileM=128 tileN=64 swapAB=1 mode=pingpong epilogueN=32",
                        136,
                        72,
                        144,
                        GemmCase.Data.INTEGERS,
                        true));
    }

    @Test
    void onBlackwell() {
        neighboursAreReported(
                MutationSuite.SM100,
                GemmCase.sm100(
                        "inputType=e4m3 tileK=128 epilogueN=32 loadStages=2 scales=row",
                        136,
                        72,
                        144,
                        GemmCase.Data.INTEGERS,
                        true));
    }

    /** The last block of K has 32 elements. */
    @Test
    void onHopperWithScalesOfBlocks() {
        neighboursAreReported(
                MutationSuite.SM90,
                new GemmCase(
                        BLOCKS + "consumers=1 registers=0 tileM=64 tileN=64 epilogueN=32",
                        72,
                        136,
                        288,
                        GemmCase.Data.INTEGERS,
                        true));
    }

    /** 66 blocks of K: a warp has 32 lanes, and asks twice for what comes later. */
    @Test
    void onHopperWithScalesOfManyBlocks() {
        GemmCase kernel = new GemmCase(
                BLOCKS + "consumers=1 registers=0 tileM=64 tileN=64 epilogueN=32",
                64,
                64,
                8352,
                GemmCase.Data.INTEGERS,
                true);
        List<Mutant> later = mutants(MutationSuite.SM90, kernel).stream()
                .filter(mutant -> mutant.description().contains(LATER))
                .toList();
        assertThat(later).as("two loads, on either side").hasSize(4);
        areReported(MutationSuite.SM90, kernel, later);
    }

    @Test
    void onHopperWithScalesOfTwoBlocksOfN() {
        neighboursAreReported(
                MutationSuite.SM90,
                new GemmCase(
                        BLOCKS + "consumers=1 registers=0 tileM=64 tileN=96 epilogueN=32",
                        72,
                        264,
                        288,
                        GemmCase.Data.INTEGERS,
                        true));
    }

    /** A warpgroup goes over a stage twice, once for each 64 of its rows. */
    @Test
    void onHopperWithScalesOfBlocksInPasses() {
        neighboursAreReported(
                MutationSuite.SM90,
                new GemmCase(
                        BLOCKS + "consumers=1 registers=0 tileM=128 tileN=128 epilogueN=32",
                        136,
                        136,
                        288,
                        GemmCase.Data.INTEGERS,
                        true));
    }

    @Test
    void onHopperWithScalesOfBlocksAndSwappedOperands() {
        neighboursAreReported(
                MutationSuite.SM90,
                new GemmCase(
                        BLOCKS + "consumers=1 registers=0 tileM=72 tileN=64 swapAB=1 epilogueN=32",
                        136,
                        72,
                        288,
                        GemmCase.Data.INTEGERS,
                        true));
    }
}
