package dev.tilewright.gate.decision;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Synthetic blocks. */
final class Blocks {

    /** Of the log-ratio of a block: the mean of 40 then deviates by 0.11 %, as it was seen to on an H200. */
    static final double DEVIATION = 0.007;

    private Blocks() {}

    /** Independent normal ones, in mirrored order. */
    static List<PairedBlock> normal(Random random, int count, double logEffect, double deviation) {
        List<PairedBlock> blocks = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            double shared = 5e4 * Math.exp(0.02 * random.nextGaussian());
            blocks.add(new PairedBlock(
                    i,
                    i % 4 == 0 || i % 4 == 3,
                    shared * Math.exp(logEffect + deviation * random.nextGaussian()),
                    shared));
        }
        return blocks;
    }

    static double[] logRatios(List<PairedBlock> blocks) {
        return blocks.stream().mapToDouble(PairedBlock::logRatio).toArray();
    }

    static double slower(double percent) {
        return Math.log1p(percent / 100);
    }
}
