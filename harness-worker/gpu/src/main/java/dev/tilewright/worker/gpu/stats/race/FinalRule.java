package dev.tilewright.worker.gpu.stats.race;

import dev.tilewright.model.trial.Ratio;
import dev.tilewright.worker.gpu.stats.PairedBlocks;

/**
 * When a final has enough turns, and what its interval is.
 *
 * <p>Its interval is looked at after every turn from the least on, and it stops when the interval of the ratio of our
 * best to the best peer is narrow enough. To stop where an interval is narrow is to stop where the spread happens to
 * look small, so an interval that states 95 % is taken at {@link #TAKEN}; how often it then holds the truth is tested,
 * not derived. Which of ours and which peer are best is read off the same turns. A bound therefore shares its error
 * among those that might have come out best on the side that it flatters: the lower among ours, the upper among the
 * peers. Nothing more is needed: the best of several peers looks better than it is, which lowers our ratio.
 *
 * @param halfWidth half the width that is wanted, as a logarithm: 0.005 is half a percent to each side
 * @param firstLook turns of all arms before anybody may leave. An arm that is far behind disturbs the others: it leaves
 *     them a clock that is not theirs
 * @param leastTurns turns before the interval is looked at
 * @param mostTurns turns at the most
 * @param mostRuns of all arms together: with so many run, an interval twice as wide as wanted must do
 * @param lastRuns of all arms together, behind the least turns: with so many run, the two that lead their sides go on
 *     alone. Who could not be told apart until then is as fast for whoever reads the result, and only makes the turns
 *     longer.
 * @param leaving which arms leave at a look
 */
public record FinalRule(
        double halfWidth,
        int firstLook,
        int leastTurns,
        int mostTurns,
        int mostRuns,
        int lastRuns,
        Elimination leaving) {

    /** Confidence of an interval that states 95 %: the rest is for looking after every turn. */
    static final double TAKEN = 0.975;

    /**
     * Half a percent: what is nearer to one is as fast. Thirty runs of 0.3 s are nine seconds, in which two arms have
     * fifteen turns; sixty behind the least turns are half a minute in all, which only a restless GPU needs.
     */
    public static final FinalRule STANDARD =
            new FinalRule(0.005, 3, 6, 60, 30, 60, new Elimination(0, new SpentError(0.05)));

    public FinalRule {
        if (!(halfWidth > 0 && Double.isFinite(halfWidth))
                || firstLook < 3
                || leastTurns < firstLook
                || mostTurns < leastTurns) {
            throw new IllegalArgumentException(
                    "a final wants a positive half width, at least 3 turns before a look, and"
                            + " no fewer at the least and at the most, got " + halfWidth + ", " + firstLook + ", "
                            + leastTurns
                            + " and " + mostTurns);
        }
    }

    /** Whether the final is over. */
    public enum Answer {
        GO_ON,
        NARROW,
        ENOUGH
    }

    /**
     * What to do with such an interval.
     *
     * @param turns so far
     * @param runs of all arms so far
     */
    public Answer answer(Ratio ratio, int turns, int runs) {
        double half = halfWidth(ratio);
        if (half <= halfWidth) {
            return Answer.NARROW;
        }
        return turns >= mostTurns || runs >= mostRuns && half <= 2 * halfWidth ? Answer.ENOUGH : Answer.GO_ON;
    }

    /** Half the width of an interval, as a logarithm. */
    public static double halfWidth(Ratio ratio) {
        return Math.log(ratio.high() / ratio.low()) / 2;
    }

    /**
     * The interval of the ratio of one of ours to a peer.
     *
     * @param ours how many of ours might have come out best
     * @param peers how many peers might have
     */
    public static Ratio ratio(PairedBlocks pair, int ours, int peers) {
        double each = (1 - TAKEN) / 2;
        return pair.ratio(each / Math.max(1, ours), each / Math.max(1, peers));
    }
}
