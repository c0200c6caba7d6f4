package dev.tilewright.emulator.gemm;

import static dev.tilewright.emulator.gemm.GemmRuns.emulator;
import static dev.tilewright.emulator.gemm.GemmRuns.withinBound;
import static dev.tilewright.emulator.gemm.GroupedRuns.groups;

import dev.tilewright.emulator.PtxEmulator;
import dev.tilewright.emulator.RunEnd;
import dev.tilewright.emulator.gemm.GemmCase.Data;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.testing.DrawnRows;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Kernels of sm100-gemm compute several GEMMs of different extents at once, under any interleaving. */
class GroupedGemmTest {
    private static final int SEEDS = 2;
    private static final int MANY_SEEDS = 20;

    /** Short and long ones in turn, tails in each dimension of each. */
    private static final String IMBALANCED = "200x136x72 200x136x392 200x136x72 200x136x264";
    /** No two extents are equal; one of the GEMMs is smaller than a tile. */
    private static final String UNLIKE = "328x72x136 72x264x520 456x200x72 40x24x8";

    /** Rows of 8-bit operands are multiples of 16 elements. */
    private static final String EIGHT_BITS = "200x136x80 264x72x400 40x24x16 200x136x272";

    private static final String PAIR = "ctaGroup=2 tileM=256 clusterM=2";

    private static RunEnd.Completed completed(GemmCase gemm, PtxEmulator emulator, long seed) {
        return GemmRuns.completed(gemm, emulator, GemmRuns.roughEverySecond(seed));
    }

    private static void exact(GemmCase gemm, PtxEmulator emulator, long seed) {
        GroupedRuns.exact(gemm, completed(gemm, emulator, seed), seed);
    }

    private static final String KERNELS = """
        scheduler=single
        scheduler=static
        scheduler=static accumulatorStages=2 loadStages=4 tileN=128
        scheduler=static clusterM=2 clusterN=2 multicast=both accumulatorStages=2
        scheduler=static inputType=e4m3 outputType=f32 epilogueN=16 tileK=32
        scheduler=atomic clcStages=2
        scheduler=atomic clcStages=2 clcThrottle=loaded
        scheduler=atomic clcStages=4 clcPrefetch=3 clcThrottle=mainloop accumulatorStages=2
        scheduler=clc
        scheduler=clc clcStages=3 clcPrefetch=2 clcThrottle=load accumulatorStages=2
        scheduler=clc clusterN=2 multicast=both clcStages=2 clcThrottle=mainloop
        ctaGroup=2 tileM=256 clusterM=2 scheduler=single
        ctaGroup=2 tileM=256 clusterM=2 scheduler=static accumulatorStages=2
        ctaGroup=2 tileM=256 clusterM=2 scheduler=atomic clcStages=2
        ctaGroup=2 tileM=256 clusterM=2 scheduler=clc clcStages=4 clcPrefetch=4 clcThrottle=mainloop
        ctaGroup=2 tileM=256 clusterM=2 clusterN=2 multicast=both scheduler=clc clcStages=2 accumulatorStages=2
        """;

    @DrawnRows(of = KERNELS, count = 3)
    void agreesWithTheReferenceOfEachGroup(String parameters) {
        boolean eightBits = parameters.contains("e4m3");
        for (String order : List.of("asGiven", "longestFirst")) {
            String all = parameters + " tileLocation=table tileOrder=" + order;
            List<ProblemShape> groups = groups(eightBits ? EIGHT_BITS : order.equals("asGiven") ? IMBALANCED : UNLIKE);
            GemmCase gemm = GemmCase.sm100(all, groups, Data.INTEGERS, true);
            PtxEmulator emulator = emulator(gemm);
            for (int seed = 0; seed < SEEDS; seed++) {
                exact(gemm, emulator, seed);
            }
            GemmCase untraced = GemmCase.sm100(all, groups, Data.NORMAL, false);
            RunEnd.Completed run = completed(untraced, emulator(untraced), SEEDS);
            withinBound(untraced, run);
        }
    }

    /** Tiles of two k blocks beside tiles of seven. */
    @Tag("full")
    @ParameterizedTest
    @ValueSource(
            strings = {
                "scheduler=single",
                "scheduler=static",
                "scheduler=atomic clcStages=3 clcPrefetch=2",
                "scheduler=clc clcStages=3 clcPrefetch=2"
            })
    void holdsUnderManySeeds(String scheduler) {
        for (String group : List.of("ctaGroup=1", PAIR)) {
            String parameters = scheduler + " " + group
                    + " accumulatorStages=2 loadStages=3 tileLocation=table tileOrder=longestFirst";
            GemmCase gemm = GemmCase.sm100(parameters, groups(IMBALANCED), Data.INTEGERS, true);
            PtxEmulator emulator = emulator(gemm);
            for (int seed = 0; seed < MANY_SEEDS; seed++) {
                exact(gemm, emulator, seed);
            }
        }
    }
}
