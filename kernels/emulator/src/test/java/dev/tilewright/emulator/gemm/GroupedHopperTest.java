package dev.tilewright.emulator.gemm;

import static dev.tilewright.emulator.gemm.GemmRuns.emulator;
import static dev.tilewright.emulator.gemm.GemmRuns.withinBound;
import static dev.tilewright.emulator.gemm.GroupedRuns.groups;

import dev.tilewright.emulator.PtxEmulator;
import dev.tilewright.emulator.RunEnd;
import dev.tilewright.emulator.gemm.GemmCase.Data;
import dev.tilewright.emulator.run.Options;
import dev.tilewright.model.space.Config;
import dev.tilewright.testing.DrawnRows;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Kernels of sm90-gemm compute several GEMMs of different extents at once, under any interleaving. */
class GroupedHopperTest {
    private static final int SEEDS = 2;
    private static final int MANY_SEEDS = 20;

    /** Short and long ones in turn, tails in each dimension of each. */
    private static final String IMBALANCED = "200x136x72 200x136x456 200x136x72 200x136x264";
    /** No two extents are equal; one of the GEMMs is smaller than a tile. */
    private static final String UNLIKE = "328x72x136 72x264x520 456x200x72 40x24x8";
    /** One tile each, of one block and of many; the highest is as high as the tile. */
    private static final String ONE_TILE_EACH = "40x56x8 %dx64x712 8x24x64";
    /** Fewer tiles than CTAs. */
    private static final String FEW = "%dx56x136 24x8x520";

    private static final String KERNELS = """
        scheduler=single tileN=64
        scheduler=single consumers=1 registers=0 tileM=64 tileN=64 epilogueN=32
        scheduler=static tileN=64
        scheduler=static tileN=176 waitDepth=1
        scheduler=static tileN=64 clusterN=2 multicast=both
        scheduler=static mode=pingpong tileM=64 tileN=64
        scheduler=static mode=pingpong tileM=64 tileN=176 loadStages=5 waitDepth=1
        scheduler=static mode=pingpong tileM=64 tileN=64 tileK=32 swizzle=64
        scheduler=atomic tileN=64
        scheduler=atomic tileN=64 clusterM=2 multicast=both waitDepth=1
        scheduler=atomic mode=pingpong tileM=64 tileN=64
        scheduler=atomic clcThrottle=loaded tileN=64
        scheduler=atomic clcThrottle=loaded mode=pingpong tileM=64 tileN=64 clusterN=2 multicast=both
        scheduler=atomic mode=pingpong tileM=64 tileN=64 clusterM=2 multicast=both loadStages=5 waitDepth=1
        """;

    /** Types, layouts and designs that a table has no part in. */
    private static final String OTHER_KERNELS = """
        scheduler=static tileN=64 typeA=f16 typeB=f16 typeD=f32 epilogueN=32
        scheduler=static tileN=64 majorA=m majorB=n
        scheduler=atomic mode=pingpong tileM=64 tileN=64 majorA=m clusterM=2 multicast=both
        scheduler=atomic mode=pingpong tileM=64 tileN=176 tileK=128 typeA=e4m3 typeB=e5m2
        scheduler=static clusterN=2 multicast=both tileN=72 tileK=128 typeA=e5m2 typeB=e5m2 typeD=f32 epilogueN=32
        scheduler=atomic clcThrottle=loaded consumers=3 registers=0 tileM=192 tileN=64 epilogueStages=3
        scheduler=static clusterM=2 multicast=both tileN=72 l2Hint=keepB
        scheduler=atomic mode=pingpong tileM=64 tileN=72 clusterM=2 multicast=both l2Hint=keepA
        scheduler=static consumers=1 registers=0 tileM=64 tileN=320 loadStages=2
        """;
    /** Tails in each dimension, with rows and columns that are aligned whatever the types are. */
    private static final String ALIGNED = "328x72x144 72x264x528 456x200x80 40x24x16";

    static Stream<String> otherKernels() {
        return OTHER_KERNELS.lines();
    }

    static Stream<String> kernels() {
        return KERNELS.lines();
    }

    private static GemmCase gemm(String parameters, String shapes, int batch, Data data, boolean traced) {
        Config tabled = Config.parse("tileLocation=table clcThrottle=none registers=232")
                .with(parameters);
        return GemmCase.sm90(tabled.canonical(), groups(shapes), batch, data, traced);
    }

    private static RunEnd.Completed completed(GemmCase gemm, PtxEmulator emulator, long seed) {
        return GemmRuns.completed(gemm, emulator, Options.seed(seed));
    }

    private static void exact(GemmCase gemm, int seeds) {
        PtxEmulator emulator = emulator(gemm);
        for (int seed = 0; seed < seeds; seed++) {
            GroupedRuns.exact(gemm, completed(gemm, emulator, seed), seed);
        }
    }

    @DrawnRows(of = KERNELS, count = 2)
    void agreesWithTheReferenceOfEachGroup(String parameters) {
        exact(gemm(parameters + " tileOrder=asGiven", IMBALANCED, 1, Data.INTEGERS, true), SEEDS);
        exact(gemm(parameters + " tileOrder=longestFirst", UNLIKE, 1, Data.INTEGERS, true), SEEDS);
        GemmCase normal = gemm(parameters + " tileOrder=asGiven", UNLIKE, 1, Data.NORMAL, false);
        withinBound(normal, completed(normal, emulator(normal), SEEDS));
    }

    @DrawnRows(of = KERNELS, count = 2)
    void agreesForBatchesSmallGroupsAndFewTiles(String parameters) {
        if (!parameters.contains("cluster")) {
            int rows = parameters.contains("tileM=64") ? 64 : 128;
            exact(
                    gemm(parameters + " tileOrder=asGiven", ONE_TILE_EACH.formatted(rows), 1, Data.INTEGERS, true),
                    SEEDS);
            exact(gemm(parameters + " tileOrder=longestFirst", FEW.formatted(rows), 1, Data.INTEGERS, true), SEEDS);
        }
        exact(gemm(parameters + " tileOrder=longestFirst", "136x136x72 200x72x264", 2, Data.INTEGERS, true), SEEDS);
    }

    @DrawnRows(of = OTHER_KERNELS, count = 2)
    void agreesForOtherTypesLayoutsAndDesigns(String parameters) {
        exact(gemm(parameters + " tileOrder=longestFirst", ALIGNED, 1, Data.INTEGERS, true), SEEDS);
        exact(gemm(parameters + " tileOrder=asGiven", "200x136x144 136x72x80", 2, Data.INTEGERS, true), SEEDS);
        GemmCase normal = gemm(parameters + " tileOrder=asGiven", ALIGNED, 1, Data.NORMAL, false);
        withinBound(normal, completed(normal, emulator(normal), SEEDS));
    }

    @Tag("full")
    @ParameterizedTest
    @MethodSource("otherKernels")
    void othersHoldUnderManySeeds(String parameters) {
        exact(gemm(parameters + " tileOrder=asGiven", ALIGNED, 1, Data.INTEGERS, true), MANY_SEEDS);
    }

    @Tag("full")
    @ParameterizedTest
    @MethodSource("kernels")
    void holdsUnderManySeeds(String parameters) {
        exact(gemm(parameters + " tileOrder=asGiven", IMBALANCED, 1, Data.INTEGERS, true), MANY_SEEDS);
    }
}
