package dev.tilewright.emulator.gemm;

import static dev.tilewright.emulator.gemm.GemmRuns.completed;
import static dev.tilewright.emulator.gemm.GemmRuns.emulator;
import static dev.tilewright.emulator.gemm.GemmRuns.everyTile;
import static dev.tilewright.emulator.gemm.GemmRuns.exact;
import static dev.tilewright.emulator.gemm.GemmRuns.withinBound;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.emulator.PtxEmulator;
import dev.tilewright.emulator.RunEnd;
import dev.tilewright.emulator.gemm.GemmCase.Data;
import dev.tilewright.emulator.run.Options;
import dev.tilewright.testing.DrawnRows;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Kernels of sm90-gemm compute what the reference computes, under any interleaving. */
class GemmTest {
    /** Of three seeds in a row one has its copies late; with that of the traced twin there are three. */
    private static final int SEEDS = 2;

    private static final int MANY_SEEDS = 20;

    private static void check(String parameters, int m, int n, int k, int seeds) {
        GemmCase gemm = new GemmCase(parameters, m, n, k, Data.INTEGERS, false);
        boolean persistent = !parameters.contains("scheduler=single");
        assertThat(gemm.tilesPerCluster()).as("tiles of a cluster").isGreaterThanOrEqualTo(persistent ? 3 : 1);
        PtxEmulator emulator = emulator(gemm);
        for (int seed = 1; seed <= seeds; seed++) {
            RunEnd.Completed verdict = completed(gemm, emulator, options(gemm, seed));
            exact(gemm, verdict, seed);
            assertThat(verdict.statistics().ctas())
                    .isEqualTo(gemm.kernelLaunch().gridX());
        }
        GemmCase traced = new GemmCase(parameters, m, n, k, Data.NORMAL, true);
        RunEnd.Completed verdict = completed(traced, emulator(traced), options(traced, seeds + 1));
        withinBound(traced, verdict);
        everyTile(traced, verdict);
    }

    private static Options options(GemmCase gemm, long seed) {
        return Options.seed(seed).withSms(gemm.sms());
    }

    private static final String SPREAD = """
        scheduler=static | 712 | 648 | 392
        scheduler=static waitDepth=1 | 520 | 392 | 136
        scheduler=static tileM=256 tileN=96 epilogueN=32 | 1288 | 392 | 136
        scheduler=static tileM=128 tileN=176 epilogueN=64 rasterOrder=groupedM rasterGroup=2 | 520 | 712 | 72
        scheduler=static tileK=32 swizzle=64 loadStages=5 waitDepth=1 | 456 | 520 | 200
        scheduler=static consumers=1 registers=0 tileM=64 tileN=128 | 328 | 520 | 264
        scheduler=static consumers=1 registers=0 tileM=64 tileN=168 waitDepth=1 | 456 | 680 | 136
        scheduler=static consumers=1 registers=0 tileM=128 tileN=64 epilogueN=32 | 456 | 264 | 200
        scheduler=static clusterM=2 multicast=both | 712 | 648 | 136
        scheduler=static clusterM=2 multicast=none tileN=96 epilogueN=32 | 712 | 392 | 136
        scheduler=static clusterN=2 multicast=both waitDepth=1 | 712 | 776 | 136
        scheduler=static clusterN=2 multicast=none tileK=32 swizzle=64 | 584 | 776 | 104
        scheduler=static consumers=1 registers=0 tileM=64 clusterM=2 multicast=both | 456 | 392 | 264
        scheduler=static consumers=1 registers=0 tileM=64 clusterN=2 multicast=both epilogueN=32 | 328 | 776 | 136
        scheduler=static consumers=3 registers=160 tileM=192 tileN=72 epilogueN=32 epilogueStages=3 | 1112 | 264 | 136
        scheduler=static consumers=3 registers=160 tileM=192 tileN=64 clusterM=2 multicast=both | 1480 | 200 | 136
        scheduler=static tileM=192 tileN=208 loadStages=3 epilogueN=32 | 1112 | 648 | 136
        scheduler=atomic tileM=192 tileN=80 clusterM=2 clusterN=2 multicast=both epilogueStages=3 | 1112 | 648 | 264
        scheduler=single tileM=64 tileN=144 clusterM=2 multicast=both epilogueN=32 | 456 | 520 | 264
        scheduler=static tileN=272 epilogueN=32 l2Hint=keepB | 456 | 1032 | 136
        scheduler=static tileN=288 clusterM=2 multicast=both waitDepth=1 | 968 | 840 | 72
        scheduler=static tileN=72 clusterM=2 multicast=both waitDepth=1 | 712 | 264 | 328
        scheduler=static tileN=72 clusterM=2 clusterN=2 multicast=both epilogueStages=3 epilogueN=32 | 712 | 520 | 264
        scheduler=static clusterM=2 clusterN=2 multicast=a tileN=72 epilogueN=32 | 712 | 520 | 264
        scheduler=atomic mode=pingpong clusterM=2 clusterN=2 multicast=b tileM=64 tileN=72 loadStages=3 | 456 | 664 | 264
        scheduler=single consumers=1 registers=0 clusterM=2 clusterN=2 multicast=b tileM=64 tileN=96 | 328 | 520 | 264
        scheduler=static consumers=1 registers=0 clusterM=4 clusterN=2 multicast=both tileM=64 tileN=72 | 1032 | 328 | 264
        scheduler=atomic mode=pingpong clusterM=2 clusterN=4 multicast=both tileM=64 tileN=72 loadStages=2 | 456 | 1032 | 264
        scheduler=single consumers=1 registers=0 clusterM=4 clusterN=2 multicast=b tileM=64 tileN=64 waitDepth=1 | 328 | 264 | 264
        scheduler=static consumers=1 registers=232 ctasPerSm=2 tileM=128 tileN=72 loadStages=2 | 1480 | 392 | 136
        scheduler=atomic registers=0 ctasPerSm=2 tileN=80 loadStages=2 clusterM=2 multicast=both | 1224 | 744 | 136
        scheduler=single consumers=1 registers=0 ctasPerSm=2 tileM=64 tileN=72 loadStages=3 | 456 | 392 | 264
        scheduler=static consumers=1 registers=0 tileM=64 tileN=72 waitDepth=0 loadStages=2 | 456 | 520 | 264
        scheduler=static consumers=1 registers=0 tileM=64 tileN=40 clusterM=4 multicast=both l2Hint=keepA | 712 | 136 | 328
        scheduler=static mode=pingpong tileM=64 | 456 | 520 | 264
        scheduler=static mode=pingpong tileM=128 tileN=96 waitDepth=1 | 712 | 392 | 136
        scheduler=static mode=pingpong tileM=64 tileN=256 loadStages=4 waitDepth=1 | 456 | 1032 | 136
        scheduler=static mode=pingpong tileM=64 clusterM=2 multicast=both waitDepth=1 | 712 | 520 | 136
        scheduler=static mode=pingpong tileM=64 clusterN=2 multicast=both tileK=32 swizzle=64 | 328 | 904 | 104
        scheduler=static mode=pingpong tileM=64 clusterN=2 multicast=none | 328 | 904 | 136
        scheduler=atomic | 456 | 520 | 264
        scheduler=atomic tileN=192 waitDepth=1 rasterOrder=groupedN rasterGroup=2 | 584 | 776 | 136
        scheduler=atomic consumers=1 registers=0 tileM=64 | 328 | 520 | 200
        scheduler=atomic clusterM=2 multicast=both | 712 | 648 | 136
        scheduler=atomic clusterN=2 multicast=both tileK=32 swizzle=64 epilogueN=32 | 712 | 776 | 104
        scheduler=atomic consumers=1 registers=0 tileM=64 clusterM=2 multicast=none waitDepth=1 | 456 | 392 | 136
        scheduler=atomic consumers=1 registers=0 tileM=64 clusterN=2 multicast=both | 328 | 776 | 136
        scheduler=atomic consumers=3 registers=160 tileM=192 tileN=64 epilogueN=32 | 1112 | 200 | 136
        scheduler=atomic mode=pingpong tileM=64 tileN=72 clusterM=2 multicast=both | 712 | 392 | 136
        scheduler=atomic mode=pingpong tileM=64 | 456 | 520 | 264
        scheduler=atomic mode=pingpong tileM=64 clusterM=2 multicast=both tileK=32 swizzle=64 | 712 | 520 | 104
        scheduler=atomic mode=pingpong tileM=64 clusterN=2 multicast=both waitDepth=1 | 328 | 904 | 136
        scheduler=single | 456 | 520 | 264
        scheduler=single consumers=1 registers=0 tileM=64 tileN=256 waitDepth=1 | 200 | 520 | 200
        scheduler=single clusterM=2 multicast=both | 456 | 520 | 136
        scheduler=single clusterN=2 multicast=both tileK=32 swizzle=64 | 328 | 520 | 104
        scheduler=static loadStart=tick clusterM=2 multicast=both tileN=72 | 712 | 264 | 328
        scheduler=atomic loadStart=tick mode=pingpong tileM=64 | 456 | 520 | 264
        scheduler=static swapAB=1 tileM=88 epilogueN=32 | 520 | 648 | 264
        scheduler=static swapAB=1 tileM=176 tileN=192 epilogueN=32 | 712 | 1096 | 136
        scheduler=static swapAB=1 mode=pingpong tileM=72 tileN=64 clusterM=2 multicast=both waitDepth=1 | 712 | 456 | 136
        scheduler=static swapAB=1 consumers=1 registers=0 tileM=72 tileN=64 clusterM=2 clusterN=4 multicast=both | 584 | 1032 | 264
        scheduler=static swapAB=1 consumers=1 registers=0 tileM=80 tileN=64 clusterM=4 multicast=none tileK=32 swizzle=64 | 1032 | 264 | 104
        scheduler=static swapAB=1 consumers=1 registers=232 ctasPerSm=2 tileM=72 tileN=128 loadStages=2 | 712 | 1416 | 136
        scheduler=atomic swapAB=1 consumers=1 registers=0 tileM=152 tileN=64 clusterN=2 multicast=both | 456 | 776 | 136
        scheduler=atomic swapAB=1 tileM=256 tileN=128 clusterN=2 multicast=both loadStages=2 epilogueStages=3 | 1032 | 776 | 136
        scheduler=single swapAB=1 consumers=3 registers=160 tileM=104 tileN=192 typeA=f16 typeB=f16 typeD=f16 | 328 | 520 | 104
        scheduler=single swapAB=1 tileM=120 tileK=128 typeA=e4m3 typeB=e5m2 waitDepth=1 | 328 | 264 | 272
        """;

    @DrawnRows(of = SPREAD, count = 8)
    void agreesWithTheReference(String parameters, int m, int n, int k) {
        check(parameters, m, n, k, SEEDS);
    }

    @Tag("full")
    @ParameterizedTest
    @CsvSource(textBlock = SPREAD, delimiter = '|')
    void noHazardUnderManySeeds(String parameters, int m, int n, int k) {
        check(parameters, m, n, k, MANY_SEEDS);
    }

    @Test
    void sameSeedSameRun() {
        GemmCase gemm =
                new GemmCase("scheduler=atomic consumers=1 registers=0 tileM=64", 200, 264, 136, Data.NORMAL, true);
        PtxEmulator emulator = new PtxEmulator(gemm.kernel().module(), "gemm");
        RunEnd.Completed first = completed(gemm, emulator, Options.seed(7));
        RunEnd.Completed again = completed(gemm, emulator, Options.seed(7));
        assertThat(again.statistics()).isEqualTo(first.statistics());
        assertThat(again.buffer("TRACE")).isEqualTo(first.buffer("TRACE"));
        RunEnd.Completed other = completed(gemm, emulator, Options.seed(8));
        assertThat(other.buffer("TRACE")).isNotEqualTo(first.buffer("TRACE"));
        assertThat(other.buffer("D")).isEqualTo(first.buffer("D"));
    }
}
