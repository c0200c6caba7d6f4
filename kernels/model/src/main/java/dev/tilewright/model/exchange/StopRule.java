package dev.tilewright.model.exchange;

import java.util.List;

/**
 * When two kernels have been timed beside each other for long enough. What is looked at is the interval of ln(time of
 * the first / time of the second): timing ends at the first look at which no threshold lies in it, or at the last one.
 *
 * @param looks how many blocks there are at each look; each has at least a quarter more than the one before
 * @param thresholds logarithms that the interval shall be told from
 * @param errorAbove probability over all looks that an interval lies wholly above the truth
 * @param errorBelow probability over all looks that an interval lies wholly below it
 */
public record StopRule(List<Integer> looks, List<Double> thresholds, double errorAbove, double errorBelow) {

    private static final int LEAST_BLOCKS = 2;
    private static final int MOST_BLOCKS = 10_000;
    /** Looks that are closer to each other say the same twice. */
    private static final double LEAST_GROWTH = 1.25;

    /**
     * Of a comparison: half a percent to either side, an error of one in a hundred, and at most 160 blocks. A block has
     * two runs of 2 ms, so that all of them take 0.7 s of the GPU. The mean of 40 was seen to deviate by 0.08 to 0.14 %
     * ({@code docs/results/h200/instrument.columns}): no more than 40 would leave most equal kernels without a verdict.
     */
    public static final StopRule COMPARISON =
            new StopRule(List.of(20, 40, 80, 160), List.of(-0.005, 0.005), 0.005, 0.005);

    public StopRule {
        looks = List.copyOf(looks);
        thresholds = List.copyOf(thresholds);
        requireLooks(looks);
        requireError(errorAbove);
        requireError(errorBelow);
        if (thresholds.isEmpty() || !thresholds.stream().allMatch(Double::isFinite)) {
            throw new IllegalArgumentException("a stop rule has thresholds, got " + thresholds);
        }
    }

    /** @throws IllegalArgumentException unless they are 2 to 10,000 blocks, each at least a quarter more than before */
    public static void requireLooks(List<Integer> looks) {
        boolean grow = !looks.isEmpty() && looks.getFirst() >= LEAST_BLOCKS && looks.getLast() <= MOST_BLOCKS;
        for (int i = 1; i < looks.size(); i++) {
            grow &= looks.get(i) >= LEAST_GROWTH * looks.get(i - 1);
        }
        if (!grow) {
            throw new IllegalArgumentException("looks are at " + LEAST_BLOCKS + " to " + MOST_BLOCKS
                    + " blocks, each at least a quarter more than the one before, got " + looks);
        }
    }

    /** @throws IllegalArgumentException unless it is above 0 and below a half */
    public static void requireError(double error) {
        if (!(error > 0 && error < 0.5)) {
            throw new IllegalArgumentException("an error is a probability above 0 and below 0.5, got " + error);
        }
    }
}
