package dev.tilewright.gate.decision;

import dev.tilewright.gate.document.GateVerdict;
import dev.tilewright.gate.document.Margins;
import dev.tilewright.gate.statistics.BlockMean;
import java.util.Arrays;

/**
 * Bounds by the blocks of one process, as logarithms.
 *
 * @param seen mean of the blocks up to the look at which the rule ends
 * @param low one-sided lower bound
 * @param high one-sided upper bound
 * @param p of the hypothesis that the slowdown is at most the margin that fails
 * @param isOver whether the rule ends here; otherwise blocks are missing
 */
record StageBounds(BlockMean seen, double low, double high, double p, boolean isOver) {

    /** A rule with the margins of a case, ready to be applied. */
    static final class Rule {
        private final Margins margins;
        private final StopMonitor monitor;
        /** Of the lower bound of the case by itself: timing ends above a margin with the error of one of many. */
        private final Boundary own;

        Rule(GateRule rule, Margins margins) {
            this.margins = margins;
            this.monitor = new StopMonitor(rule.stopRule(margins));
            this.own = Boundary.of(rule.looks(), rule.error());
        }

        /**
         * The blocks up to the first look at which the rule ends; without one up to the last look that they reach.
         *
         * @param logRatios of as many blocks as the first look has at least
         */
        StageBounds bounds(double[] logRatios) {
            int last = monitor.reached(logRatios.length);
            int look = 0;
            BlockMean seen = at(look, logRatios);
            while (look < last && !monitor.isOver(look, seen)) {
                look++;
                seen = at(look, logRatios);
            }
            return new StageBounds(
                    seen,
                    seen.low(own.nominalError(look)),
                    monitor.high(look, seen),
                    monitor.probability(look, seen, GateRule.threshold(margins.fail())),
                    monitor.isOver(look, seen));
        }

        private BlockMean at(int look, double[] logRatios) {
            return BlockMean.of(Arrays.copyOf(logRatios, monitor.looks().get(look)));
        }
    }

    static StageBounds of(GateRule rule, Margins margins, double[] logRatios) {
        return new Rule(rule, margins).bounds(logRatios);
    }

    GateVerdict verdict(Margins margins) {
        return isOver ? shown(low, high, margins) : GateVerdict.INCONCLUSIVE;
    }

    /**
     * The verdict that an interval shows by itself.
     *
     * @param low as a logarithm, like {@code high}
     */
    static GateVerdict shown(double low, double high, Margins margins) {
        if (low > GateRule.threshold(margins.fail())) {
            return GateVerdict.FAIL;
        }
        if (low > GateRule.threshold(margins.warn())) {
            return GateVerdict.WARN;
        }
        if (high < -GateRule.threshold(margins.warn())) {
            return GateVerdict.FASTER;
        }
        return high < GateRule.threshold(margins.fail()) ? GateVerdict.PASS : GateVerdict.INCONCLUSIVE;
    }
}
