package dev.tilewright.worker.gpu.stats;

import dev.tilewright.model.trial.Ratio;
import java.util.Arrays;

/** The durations of two arms in the same blocks, as y = ln(time of the second / time of the first) of each block. */
public final class PairedBlocks {

    private static final double CONFIDENCE = 0.95;

    /** How sure one wants to be to see an effect. */
    private static final double POWER = 0.9;

    private final double[] logRatios;
    private final boolean[] secondFirst;

    private PairedBlocks(double[] logRatios, boolean[] secondFirst) {
        this.logRatios = logRatios;
        this.secondFirst = secondFirst;
    }

    /**
     * Pairs durations.
     *
     * @param first of the first arm, one for each block, in the order of the blocks
     * @param second of the second arm in the same blocks
     * @param secondFirst whether the second arm ran first in the block
     * @throws IllegalArgumentException if the numbers of blocks differ or are below 2, or a duration is not positive
     */
    public static PairedBlocks of(double[] first, double[] second, boolean[] secondFirst) {
        if (first.length != second.length
                || first.length != secondFirst.length
                || first.length < BlockSummary.LEAST_BLOCKS) {
            throw new IllegalArgumentException("a comparison needs at least " + BlockSummary.LEAST_BLOCKS
                    + " blocks with both arms, got " + first.length + " and " + second.length + ", and "
                    + secondFirst.length + " orders");
        }
        double[] logRatios = BlockSummary.Logarithms.of(second);
        double[] own = BlockSummary.Logarithms.of(first);
        for (int block = 0; block < logRatios.length; block++) {
            logRatios[block] -= own[block];
        }
        return new PairedBlocks(logRatios, secondFirst.clone());
    }

    /** Pairs durations of arms whose order within a block is not asked for, likewise. */
    public static PairedBlocks of(double[] first, double[] second) {
        return of(first, second, new boolean[first.length]);
    }

    /** How many blocks. */
    public int size() {
        return logRatios.length;
    }

    /** The log-ratio of each block, in their order. */
    public double[] logRatios() {
        return logRatios.clone();
    }

    /** How much faster the first is than the second, with the 95 % interval. */
    public Ratio ratio() {
        return ratio((1 - CONFIDENCE) / 2, (1 - CONFIDENCE) / 2);
    }

    /** The same with an interval whose lower and upper bounds have errors of their own. */
    public Ratio ratio(double below, double above) {
        return new Ratio(
                Math.exp(Arrays.stream(logRatios).average().orElseThrow()),
                Math.exp(MeanInterval.of(logRatios, 1 - 2 * below).low()),
                Math.exp(MeanInterval.of(logRatios, 1 - 2 * above).high()),
                logRatios.length);
    }

    /**
     * Everything about the effect.
     *
     * @param alpha error of each one-sided bound, such as 0.01
     * @param seed of the permutation test
     */
    public Effect effect(double alpha, long seed) {
        MeanInterval interval = MeanInterval.of(logRatios, 1 - 2 * alpha);
        double effective = interval.effectiveBlocks();
        double quantiles = MeanInterval.quantile(alpha, effective) + MeanInterval.quantile(1 - POWER, effective);
        return new Effect(
                logRatios.length,
                effective,
                Quantiles.median(logRatios),
                interval.mean(),
                HodgesLehmann.centre(logRatios),
                interval.deviation(),
                interval.standardError(),
                alpha,
                interval.low(),
                interval.high(),
                SignFlip.twoSided(logRatios, seed),
                OrderEffect.of(logRatios, secondFirst),
                quantiles * interval.standardError());
    }

    @Override
    public String toString() {
        return Arrays.toString(logRatios);
    }
}
