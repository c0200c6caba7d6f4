package dev.tilewright.emulator.gemm;

import static dev.tilewright.emulator.gemm.GemmRuns.completed;
import static dev.tilewright.emulator.gemm.GemmRuns.emulator;
import static dev.tilewright.emulator.gemm.GemmRuns.everyTile;
import static dev.tilewright.emulator.gemm.GemmRuns.exact;
import static dev.tilewright.emulator.gemm.GemmRuns.roughEverySecond;
import static dev.tilewright.emulator.gemm.GemmRuns.withinBound;

import dev.tilewright.emulator.PtxEmulator;
import dev.tilewright.emulator.RunEnd;
import dev.tilewright.emulator.gemm.GemmCase.Data;
import dev.tilewright.testing.DrawnRows;

/** Kernels of sm100-gemm compute what the reference computes, under any interleaving. */
class Sm100GemmTest {
    private static final int SEEDS = 2;

    private static void check(String parameters, int m, int n, int k, int seeds) {
        GemmCase gemm = GemmCase.sm100(parameters, m, n, k, Data.INTEGERS, false);
        PtxEmulator emulator = emulator(gemm);
        for (int seed = 0; seed < seeds; seed++) {
            exact(gemm, completed(gemm, emulator, roughEverySecond(seed)), seed);
        }
        GemmCase traced = GemmCase.sm100(parameters, m, n, k, Data.NORMAL, true);
        RunEnd.Completed verdict = completed(traced, emulator(traced), roughEverySecond(seeds));
        withinBound(traced, verdict);
        everyTile(traced, verdict);
    }

    private static final String ONE_CTA = """
        scheduler=single | 200 | 136 | 136
        scheduler=static | 328 | 264 | 200
        scheduler=static accumulatorStages=2 loadStages=4 | 456 | 520 | 72
        scheduler=static accumulatorStages=2 loadStages=3 tileN=128 epilogueN=64 rasterOrder=groupedN rasterGroup=2 | 456 | 520 | 136
        scheduler=static inputType=f16 outputType=f16 epilogueN=16 | 328 | 264 | 200
        scheduler=static inputType=e4m3 outputType=f32 epilogueN=16 tileK=32 | 328 | 264 | 112
        scheduler=static inputType=e4m3 outputType=bf16 tileK=128 loadStages=3 | 328 | 264 | 272
        scheduler=static tileK=128 outputType=f32 | 328 | 264 | 264
        scheduler=static tileK=32 loadStages=5 accumulatorStages=2 | 328 | 264 | 200
        scheduler=static tileN=192 accumulatorStages=2 epilogueN=64 tileK=32 | 328 | 584 | 72
        scheduler=static clusterM=2 multicast=both | 456 | 392 | 136
        scheduler=static clusterN=2 multicast=none accumulatorStages=2 | 328 | 520 | 136
        scheduler=static clusterM=2 clusterN=2 multicast=both | 584 | 520 | 136
        scheduler=static clusterN=4 multicast=both accumulatorStages=2 | 328 | 776 | 136
        scheduler=atomic | 328 | 264 | 200
        scheduler=atomic clcStages=2 accumulatorStages=2 clcThrottle=load | 456 | 520 | 72
        scheduler=atomic clcStages=3 clcPrefetch=2 clcThrottle=mainloop | 456 | 520 | 72
        scheduler=atomic clcStages=4 clcPrefetch=4 clusterM=2 multicast=both accumulatorStages=2 | 712 | 520 | 72
        scheduler=atomic clcStages=4 clcPrefetch=4 clcThrottle=mainloop | 1160 | 136 | 136
        scheduler=atomic clcStages=4 clcPrefetch=2 clcThrottle=load | 1160 | 136 | 136
        scheduler=atomic clcStages=2 clcPrefetch=2 | 100 | 56 | 72
        """;

    @DrawnRows(of = ONE_CTA, count = 3)
    void oneCtaAgreesWithTheReference(String parameters, int m, int n, int k) {
        check(parameters, m, n, k, SEEDS);
    }

    private static final String PAIRS = """
        ctaGroup=2 tileM=256 clusterM=2 scheduler=single | 328 | 136 | 136
        ctaGroup=2 tileM=256 clusterM=2 scheduler=static | 712 | 264 | 200
        ctaGroup=2 tileM=256 clusterM=2 scheduler=static tileN=128 accumulatorStages=2 loadStages=4 | 712 | 648 | 136
        ctaGroup=2 tileM=256 clusterM=2 clusterN=2 multicast=both scheduler=static accumulatorStages=2 | 584 | 520 | 136
        ctaGroup=2 tileM=256 clusterM=4 multicast=both scheduler=static loadStages=3 | 1096 | 264 | 136
        ctaGroup=2 tileM=256 clusterM=4 multicast=none scheduler=static loadStages=3 tileK=128 | 1096 | 264 | 264
        ctaGroup=2 tileM=256 clusterM=2 scheduler=static inputType=e4m3 outputType=f32 tileK=32 epilogueN=16 | 712 | 264 | 208
        ctaGroup=2 tileM=256 clusterM=2 scheduler=static tileN=256 accumulatorStages=2 epilogueN=64 inputType=f16 outputType=f16 | 712 | 776 | 72
        ctaGroup=2 tileM=256 clusterM=4 multicast=both scheduler=static tileN=192 epilogueN=16 | 1096 | 392 | 72
        ctaGroup=2 tileM=256 clusterM=2 scheduler=atomic clcStages=2 | 712 | 392 | 136
        ctaGroup=2 tileM=256 clusterM=2 clusterN=2 multicast=both scheduler=atomic clcStages=3 clcPrefetch=3 clcThrottle=mainloop | 712 | 520 | 72
        """;

    @DrawnRows(of = PAIRS, count = 2)
    void pairsAgreeWithTheReference(String parameters, int m, int n, int k) {
        check(parameters, m, n, k, SEEDS);
    }

    private static final String CLC = """
        scheduler=clc | 328 | 264 | 200
        scheduler=clc | 100 | 56 | 72
        scheduler=clc clcStages=2 accumulatorStages=2 loadStages=4 | 456 | 520 | 72
        scheduler=clc clcStages=2 clcPrefetch=2 accumulatorStages=2 | 456 | 520 | 72
        scheduler=clc clcStages=4 clcPrefetch=3 clcThrottle=load accumulatorStages=2 | 456 | 520 | 72
        scheduler=clc clcStages=4 clcPrefetch=4 clcThrottle=mainloop rasterOrder=groupedM rasterGroup=2 | 456 | 520 | 136
        scheduler=clc clcThrottle=load | 456 | 520 | 72
        scheduler=clc clcThrottle=mainloop | 456 | 520 | 72
        scheduler=clc clusterM=2 multicast=both clcStages=2 | 584 | 392 | 136
        scheduler=clc clusterM=2 clusterN=2 multicast=both clcStages=3 clcPrefetch=2 | 584 | 520 | 72
        scheduler=clc clusterN=4 multicast=none clcStages=3 clcPrefetch=3 clcThrottle=mainloop | 328 | 776 | 72
        scheduler=clc ctaGroup=2 tileM=256 clusterM=2 | 712 | 264 | 136
        scheduler=clc ctaGroup=2 tileM=256 clusterM=2 tileN=128 clcStages=2 clcPrefetch=2 accumulatorStages=2 | 712 | 648 | 72
        scheduler=clc ctaGroup=2 tileM=256 clusterM=4 multicast=both clcStages=3 clcThrottle=load | 1096 | 264 | 72
        scheduler=clc ctaGroup=2 tileM=256 clusterM=2 clusterN=2 multicast=both clcStages=4 clcPrefetch=4 clcThrottle=mainloop accumulatorStages=2 | 712 | 520 | 72
        """;

    @DrawnRows(of = CLC, count = 2)
    void launchControlAgreesWithTheReference(String parameters, int m, int n, int k) {
        check(parameters, m, n, k, 2 * SEEDS);
    }
}
