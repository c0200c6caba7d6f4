package dev.tilewright.gate.decision;

import dev.tilewright.gate.statistics.BlockMean;
import dev.tilewright.model.exchange.StopRule;
import java.util.List;

/**
 * Applies a stop rule. Its intervals hold over all looks, whatever made timing end: each is as wide as the error that
 * its look may spend allows.
 *
 * <p>Narrower ones could be had from an order of all that might have been seen, as the probability is. They were tried:
 * such an interval takes it that timing ends by the mean alone, but it also ends by the deviation that was seen. Of
 * equal kernels an interval of 99 % then held the truth in 95.2 %.
 */
public final class StopMonitor {

    private final StopRule rule;
    private final Boundary above;
    private final Boundary below;

    public StopMonitor(StopRule rule) {
        this.rule = rule;
        this.above = Boundary.of(rule.looks(), rule.errorAbove());
        this.below = Boundary.of(rule.looks(), rule.errorBelow());
    }

    /** How many blocks there are at each look. */
    public List<Integer> looks() {
        return rule.looks();
    }

    /** The last look that so many blocks reach, from 0; -1 if they reach none. */
    public int reached(int blocks) {
        int look = -1;
        while (look + 1 < looks().size() && looks().get(look + 1) <= blocks) {
            look++;
        }
        return look;
    }

    /** Whether timing ends here. */
    public boolean isOver(int look, BlockMean seen) {
        return look == looks().size() - 1 || isClear(look, seen);
    }

    /** Whether no threshold lies in the interval. */
    boolean isClear(int look, BlockMean seen) {
        double low = low(look, seen);
        double high = high(look, seen);
        return rule.thresholds().stream().noneMatch(threshold -> low <= threshold && threshold <= high);
    }

    /** Lower end of the interval of a look. */
    double low(int look, BlockMean seen) {
        return seen.low(above.nominalError(look));
    }

    /** Upper end. */
    double high(int look, BlockMean seen) {
        return seen.high(below.nominalError(look));
    }

    /**
     * Probability that kernels whose effect is no more than a threshold show what was seen, over all looks so far.
     * Looks that ended timing below the threshold count as if it had gone on: that can only make it greater.
     */
    double probability(int look, BlockMean seen, double threshold) {
        return above.probability(look, seen.normalDistance(threshold));
    }
}
