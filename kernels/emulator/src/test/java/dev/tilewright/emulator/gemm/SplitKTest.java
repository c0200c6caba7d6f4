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
import dev.tilewright.gemm.launch.BufferRole;
import dev.tilewright.testing.DrawnRows;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tiles that are split along K come out right and the same each time, and what the pieces wait for is left at zero. */
class SplitKTest {
    private static final int SEEDS = 2;
    private static final int MANY_SEEDS = 20;
    private static final long STEPS = 20_000_000;

    /**
     * Blocks of K that the pieces share evenly, that they do not, and as many as there are pieces; tails everywhere.
     */
    private static final String SPREAD = """
        scheduler=static splitK=2 | 328 | 264 | 392
        scheduler=static splitK=4 tileN=64 waitDepth=1 | 200 | 136 | 456
        scheduler=static splitK=3 consumers=1 registers=0 tileM=64 tileN=72 typeD=f32 epilogueN=32 | 136 | 152 | 328
        scheduler=static splitK=2 clusterM=2 multicast=both tileN=96 epilogueN=32 | 584 | 200 | 264
        scheduler=static splitK=4 clusterN=2 multicast=both tileN=64 | 328 | 200 | 264
        scheduler=static splitK=2 mode=pingpong tileM=64 | 328 | 264 | 328
        scheduler=static splitK=3 mode=pingpong tileM=64 clusterM=2 multicast=both waitDepth=1 | 456 | 264 | 264
        scheduler=static splitK=2 tileK=32 swizzle=64 typeD=f16 typeA=f16 typeB=f16 majorB=n | 328 | 264 | 136
        scheduler=static splitK=2 tileK=128 tileN=64 typeA=e4m3 typeB=e5m2 | 328 | 200 | 400
        scheduler=atomic splitK=2 | 328 | 264 | 200
        scheduler=atomic splitK=4 consumers=1 registers=0 tileM=64 | 136 | 264 | 328
        scheduler=atomic splitK=2 clusterM=2 clusterN=2 multicast=both tileN=72 epilogueN=32 | 328 | 264 | 136
        scheduler=atomic splitK=4 mode=pingpong tileM=64 typeD=f32 epilogueN=32 waitDepth=1 | 200 | 264 | 456
        scheduler=single splitK=2 | 328 | 264 | 200
        scheduler=single splitK=4 clusterM=2 multicast=both tileN=72 epilogueN=32 | 456 | 200 | 328
        scheduler=single splitK=3 consumers=3 registers=160 tileM=192 tileN=64 | 392 | 136 | 264
        scheduler=single splitK=5 swapAB=1 tileM=88 epilogueN=32 clusterN=2 multicast=both | 200 | 456 | 392
        scheduler=static splitK=8 swapAB=1 consumers=1 registers=0 tileM=152 tileN=64 | 328 | 136 | 520
        """;

    private static RunEnd.Completed run(GemmCase gemm, PtxEmulator emulator, long seed) {
        return completed(gemm, emulator, Options.seed(seed).withStepLimit(STEPS));
    }

    private static void check(String parameters, int m, int n, int k, int seeds) {
        GemmCase exact = new GemmCase(parameters, m, n, k, Data.INTEGERS, false);
        GemmCase rounded = new GemmCase(parameters, m, n, k, Data.NORMAL, false);
        // Both are one kernel.
        PtxEmulator emulator = emulator(exact);
        RunEnd.Completed first = run(rounded, emulator, seeds);
        withinBound(rounded, first);
        for (int seed = 1; seed <= seeds; seed++) {
            RunEnd.Completed run = run(exact, emulator, seed);
            exact(exact, run, seed);
            assertThat(run.buffer(BufferRole.ARRIVALS.name())).containsOnly(0);
            assertThat(run(rounded, emulator, seed).buffer("D"))
                    .as("bits of seed " + seed)
                    .isEqualTo(first.buffer("D"));
        }
        GemmCase traced = new GemmCase(parameters, m, n, k, Data.INTEGERS, true);
        List<TileRecord> records = traced.trace()
                .decode(ByteBuffer.wrap(run(traced, emulator(traced), seeds + 1).buffer("TRACE")));
        // Each piece is recorded once, at the coordinates of its tile.
        assertThat(records.stream().collect(Collectors.groupingBy(tile -> List.of(tile.tileM(), tile.tileN()))))
                .hasSize(traced.trace().tiles().allTiles())
                .allSatisfy((coordinates, pieces) ->
                        assertThat(pieces).hasSize(traced.config().whole("splitK")));
    }

    @DrawnRows(of = SPREAD, count = 3)
    void agreesWithTheReference(String parameters, int m, int n, int k) {
        check(parameters, m, n, k, SEEDS);
    }

    @Tag("full")
    @ParameterizedTest
    @CsvSource(textBlock = SPREAD, delimiter = '|')
    void noHazardUnderManySeeds(String parameters, int m, int n, int k) {
        check(parameters, m, n, k, MANY_SEEDS);
    }
}
