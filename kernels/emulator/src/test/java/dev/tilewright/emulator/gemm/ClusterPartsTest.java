package dev.tilewright.emulator.gemm;

import static dev.tilewright.emulator.gemm.GemmRuns.completed;
import static dev.tilewright.emulator.gemm.GemmRuns.emulator;
import static dev.tilewright.emulator.gemm.GemmRuns.exact;
import static dev.tilewright.emulator.gemm.GemmRuns.withinBound;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.emulator.PtxEmulator;
import dev.tilewright.emulator.RunEnd;
import dev.tilewright.emulator.gemm.GemmCase.Data;
import dev.tilewright.emulator.run.Options;
import dev.tilewright.gemm.TileRecord;
import dev.tilewright.testing.DrawnRows;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tiles whose depth the CTAs of a cluster share come out right, and the same each time. */
class ClusterPartsTest {
    private static final int SEEDS = 2;
    private static final int MANY_SEEDS = 20;
    private static final long STEPS = 20_000_000;

    /**
     * Blocks of K that the parts share evenly, that they do not, and as many as there are parts; fewer panels than
     * parts, as many, and more; tails everywhere.
     */
    private static final String SPREAD = """
        scheduler=single clusterK=2 | 328 | 264 | 392
        scheduler=single clusterK=4 consumers=1 registers=0 tileM=64 tileN=64 epilogueN=32 | 200 | 136 | 456
        scheduler=single clusterK=8 swapAB=1 consumers=1 registers=0 tileM=16 tileN=64 | 40 | 200 | 1016
        scheduler=single clusterK=4 swapAB=1 tileM=40 tileN=128 epilogueN=16 | 72 | 200 | 264
        scheduler=single clusterK=2 consumers=3 registers=160 tileM=192 tileN=64 | 392 | 136 | 264
        scheduler=single clusterK=4 clusterM=2 multicast=both tileN=72 epilogueN=32 | 456 | 200 | 328
        scheduler=static clusterK=2 | 328 | 264 | 392
        scheduler=static clusterK=4 tileN=64 waitDepth=1 epilogueN=16 | 200 | 136 | 456
        scheduler=static clusterK=8 consumers=1 registers=0 tileM=64 tileN=72 typeD=f32 epilogueN=32 | 136 | 152 | 520
        scheduler=static clusterK=2 clusterN=2 multicast=both tileN=96 epilogueN=32 | 328 | 200 | 264
        scheduler=static clusterK=2 clusterM=2 clusterN=2 multicast=both tileN=64 | 328 | 200 | 264
        scheduler=static clusterK=2 mode=pingpong tileM=64 | 328 | 392 | 328
        scheduler=static clusterK=4 mode=pingpong tileM=64 tileN=64 epilogueN=32 waitDepth=1 | 456 | 264 | 328
        scheduler=static clusterK=2 tileK=32 swizzle=64 typeD=f16 typeA=f16 typeB=f16 majorB=n | 328 | 264 | 136
        scheduler=static clusterK=2 tileK=128 tileN=64 typeA=e4m3 typeB=e5m2 | 328 | 200 | 400
        scheduler=atomic clusterK=2 consumers=1 registers=0 tileM=64 tileN=64 | 200 | 264 | 200
        scheduler=atomic clusterK=4 mode=pingpong tileM=64 typeD=f32 epilogueN=32 waitDepth=1 | 200 | 264 | 456
        scheduler=atomic clusterK=2 clusterM=2 multicast=both tileN=72 epilogueN=32 | 328 | 264 | 136
        """;

    /** Configs whose panels have the same owners as where clusters of their own split a tile. */
    private static final String ALIKE = """
        scheduler=single consumers=1 registers=0 tileM=64 tileN=64 epilogueN=16 | 4 | 136 | 200 | 456
        scheduler=static consumers=1 registers=0 tileM=64 tileN=72 epilogueN=32 | 2 | 200 | 264 | 392
        scheduler=static tileN=128 epilogueN=32 | 4 | 200 | 264 | 328
        scheduler=atomic mode=pingpong tileM=64 tileN=64 epilogueN=16 | 2 | 328 | 264 | 200
        """;

    private static RunEnd.Completed run(GemmCase gemm, PtxEmulator emulator, long seed) {
        return completed(gemm, emulator, Options.seed(seed).withSms(gemm.sms()).withStepLimit(STEPS));
    }

    private static void check(String parameters, int m, int n, int k, int seeds) {
        GemmCase exact = new GemmCase(parameters, m, n, k, Data.INTEGERS, false);
        GemmCase rounded = new GemmCase(parameters, m, n, k, Data.NORMAL, false);
        // Both are one kernel.
        PtxEmulator emulator = emulator(exact);
        RunEnd.Completed first = run(rounded, emulator, seeds);
        withinBound(rounded, first);
        for (int seed = 1; seed <= seeds; seed++) {
            exact(exact, run(exact, emulator, seed), seed);
            assertThat(run(rounded, emulator, seed).buffer("D"))
                    .as("bits of seed " + seed)
                    .isEqualTo(first.buffer("D"));
        }
        GemmCase traced = new GemmCase(parameters, m, n, k, Data.INTEGERS, true);
        List<TileRecord> records = traced.trace()
                .decode(ByteBuffer.wrap(run(traced, emulator(traced), seeds + 1).buffer("TRACE")));
        // Each part is recorded once, at the coordinates of its tile.
        assertThat(records.stream().collect(Collectors.groupingBy(tile -> List.of(tile.tileM(), tile.tileN()))))
                .allSatisfy((coordinates, parts) ->
                        assertThat(parts).hasSize(traced.config().whole("clusterK")));
        assertThat(records).hasSize(traced.trace().tiles().allTiles());
    }

    @DrawnRows(of = SPREAD, count = 4)
    void agreesWithTheReference(String parameters, int m, int n, int k) {
        check(parameters, m, n, k, SEEDS);
    }

    @Tag("full")
    @ParameterizedTest
    @CsvSource(textBlock = SPREAD, delimiter = '|')
    void noHazardUnderManySeeds(String parameters, int m, int n, int k) {
        check(parameters, m, n, k, MANY_SEEDS);
    }

    /** The order of the sums is stated: from the owner of a panel on, once around. Another one has other bits. */
    @DrawnRows(of = ALIKE, count = 2)
    void theBitsAreThoseOfASplitByClusters(String parameters, int parts, int m, int n, int k) {
        GemmCase inCluster = new GemmCase(parameters + " clusterK=" + parts, m, n, k, Data.NORMAL, false);
        GemmCase inWorkspace = new GemmCase(parameters + " splitK=" + parts, m, n, k, Data.NORMAL, false);
        assertThat(run(inCluster, emulator(inCluster), 1).buffer("D"))
                .isEqualTo(run(inWorkspace, emulator(inWorkspace), 1).buffer("D"));
    }
}
