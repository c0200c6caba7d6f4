package dev.tilewright.emulator.gemm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.emulator.PtxEmulator;
import dev.tilewright.emulator.RunEnd;
import dev.tilewright.emulator.gemm.GemmCase.Data;
import dev.tilewright.emulator.run.Options;
import dev.tilewright.gemm.StreamGrid;
import dev.tilewright.gemm.TileRecord;
import dev.tilewright.gemm.launch.BufferRole;
import dev.tilewright.testing.DrawnRows;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tiles that clusters share come out right and the same each time, whatever of them a cluster has. */
class StreamKTest {
    private static final int SEEDS = 2;
    private static final int MANY_SEEDS = 100;
    private static final long STEPS = 20_000_000;

    /**
     * Four SMs: fewer tiles than clusters, one more, several waves and one, two or three more, no more; blocks that the
     * shares divide and that they do not; shares of a tile's depth; tails everywhere.
     */
    private static final String SPREAD = """
        consumers=1 registers=0 tileM=64 tileN=64 | 40 | 56 | 904 | 1
        consumers=1 registers=0 tileM=64 tileN=72 | 168 | 72 | 584 | 3
        | 328 | 200 | 328 | 2
        tileN=64 waitDepth=1 | 584 | 104 | 392 | 2
        tileN=64 | 328 | 456 | 200 | 0
        tileN=64 tileK=32 swizzle=64 loadStages=4 waitDepth=1 | 584 | 424 | 200 | 3
        consumers=1 registers=0 tileM=64 tileN=64 | 424 | 64 | 72 | 3
        consumers=1 registers=0 tileM=64 tileN=64 | 328 | 64 | 8 | 2
        tileN=72 epilogueN=32 typeD=f32 | 328 | 200 | 456 | 1
        clusterM=2 multicast=both tileN=96 epilogueN=32 | 712 | 264 | 520 | 1
        clusterN=2 multicast=both tileN=64 waitDepth=1 | 584 | 104 | 328 | 1
        clusterN=2 multicast=none consumers=1 registers=0 tileM=64 tileN=64 | 200 | 136 | 264 | 0
        gridSize=3 tileN=64 | 712 | 64 | 264 | 0
        gridSize=3 tileN=64 | 584 | 56 | 264 | 2
        mode=pingpong tileM=64 | 328 | 328 | 328 | 2
        mode=pingpong tileM=64 waitDepth=1 | 168 | 104 | 584 | 3
        mode=pingpong tileM=64 clusterM=2 multicast=both tileN=64 typeD=f32 epilogueN=32 | 584 | 136 | 392 | 1
        consumers=3 registers=160 tileM=192 tileN=64 | 392 | 136 | 456 | 1
        tileN=64 typeD=f16 typeA=f16 typeB=f16 majorA=m majorB=n | 328 | 264 | 328 | 3
        tileK=128 tileN=64 typeA=e4m3 typeB=e5m2 | 328 | 136 | 656 | 1
        """;

    private static RunEnd.Completed run(GemmCase gemm, long seed) {
        PtxEmulator emulator =
                new PtxEmulator(gemm.kernel().module(), gemm.kernelLaunch().entry());
        RunEnd verdict = emulator.run(gemm.launch(), Options.seed(seed).withStepLimit(STEPS));
        assertThat(verdict)
                .as(() -> "seed " + seed + " of " + gemm + ": "
                        + (verdict instanceof RunEnd.Faulted faulted
                                ? faulted.finding().message()
                                : "completed"))
                .isInstanceOf(RunEnd.Completed.class);
        return (RunEnd.Completed) verdict;
    }

    private static GemmCase gemm(String parameters, int m, int n, int k, Data data, boolean traced) {
        String more = parameters == null ? "" : parameters;
        return new GemmCase("streamK=remainder " + more, m, n, k, data, traced);
    }

    private static void check(String parameters, int m, int n, int k, int sharedTiles, int seeds) {
        GemmCase exact = gemm(parameters, m, n, k, Data.INTEGERS, false);
        GemmCase rounded = gemm(parameters, m, n, k, Data.NORMAL, false);
        StreamGrid grid = (StreamGrid) exact.trace().tiles();
        assertThat(grid.shares().sharedTiles()).as(exact.toString()).isEqualTo(sharedTiles);
        byte[] first = run(rounded, seeds).buffer("D");
        assertThat(rounded.errorRatio(first)).as(rounded.toString()).isLessThanOrEqualTo(1);
        for (int seed = 1; seed <= seeds; seed++) {
            RunEnd.Completed run = run(exact, seed);
            assertThat(exact.firstWrong(run.buffer("D")))
                    .as("seed " + seed + " of " + exact)
                    .isEmpty();
            assertThat(run.buffer(BufferRole.ARRIVALS.name())).containsOnly(0);
            assertThat(run(rounded, seed).buffer("D"))
                    .as("bits of seed " + seed)
                    .isEqualTo(first);
        }
        GemmCase traced = gemm(parameters, m, n, k, Data.INTEGERS, true);
        List<TileRecord> records =
                traced.trace().decode(ByteBuffer.wrap(run(traced, seeds + 1).buffer("TRACE")));
        Map<List<Integer>, Long> pieces = records.stream()
                .collect(Collectors.groupingBy(tile -> List.of(tile.tileM(), tile.tileN()), Collectors.counting()));
        assertThat(pieces).hasSize(grid.allTiles());
        long expected = (long) (grid.clusterTiles() - sharedTiles) * grid.clusterSize();
        for (int tile = 0; tile < sharedTiles; tile++) {
            expected += (long) grid.shares().piecesOfTile(tile) * grid.clusterSize();
        }
        assertThat(records).hasSize(Math.toIntExact(expected));
    }

    @DrawnRows(of = SPREAD, count = 4)
    void agreesWithTheReference(String parameters, int m, int n, int k, int sharedTiles) {
        check(parameters, m, n, k, sharedTiles, SEEDS);
    }

    @Tag("full")
    @ParameterizedTest
    @CsvSource(textBlock = SPREAD, delimiter = '|')
    void noHazardUnderManySeeds(String parameters, int m, int n, int k, int sharedTiles) {
        check(parameters, m, n, k, sharedTiles, MANY_SEEDS);
    }
}
