package dev.tilewright.worker.gpu.stats.race;

import dev.tilewright.model.trial.Ratio;
import dev.tilewright.worker.gpu.stats.PairedBlocks;

/**
 * When a final has enough turns, and what its interval is.
 *
 * <p>The interval is that of the ratio of our best kernel to the best peer. After {@code leastTurns} turns, and after
 * every turn from then on, the final looks at it. The final ends when the interval is narrow enough.
 *
 * <p>A rule that stops at a narrow interval stops where the spread looks small by chance. So the interval that states
 * 95 % is computed with the confidence {@link #TAKEN}. How often it then holds the truth is tested, not derived.
 *
 * <p>Which of our kernels is best, and which peer, is read off the same turns. Each bound flatters one side, and the
 * error of the bound is divided among the arms of that side that might have come out best: that of the lower bound
 * among ours, that of the upper bound among the peers. No more is needed: the best of several peers looks faster than
 * it is, and that lowers our ratio.
 *
 * @param halfWidth half the width that is wanted, as a logarithm: 0.005 is 0.5 % to each side
 * @param firstLook turns of all arms before an arm may leave. An arm that is far behind disturbs the others: after its
 *     run the GPU has a clock that is not theirs
 * @param leastTurns turns before the final first looks at the interval
 * @param mostTurns turns after which the final ends in any case
 * @param mostRuns runs of all arms together after which an interval of twice the wanted width is narrow enough
 * @param lastRuns runs of all arms together, counted after {@code firstLook}, after which only our best kernel and the
 *     best peer go on, and guests until {@code leastTurns}. Arms that could not be told apart until then are equally
 *     fast for a reader of the result, and only make the turns longer
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

    /** Confidence with which an interval that states 95 % is computed. The rest pays for a look after every turn. */
    static final double TAKEN = 0.975;

    /** A final states nothing on fewer turns. */
    private static final int STATED = 4;

    /**
     * The half width is 0.5 %: arms whose times differ by less are equally fast. 30 runs of 0.3 s take 9 s, and two
     * arms have 15 turns in that time. 84 runs after the first look take 25 s; only a restless GPU needs them.
     */
    public static final FinalRule STANDARD =
            new FinalRule(0.005, 3, 6, 60, 30, 84, new Elimination(0, new SpentError(0.05)));

    /**
     * The same for turns of 0.9 s, each about a whole swing of the clock: after two of them the best two go on alone.
     * In five finals of an H100 the kernel of a peer that led after two turns was within 0.2 % of the one that led
     * after four.
     */
    public static final FinalRule OF_SWINGS = new FinalRule(0.005, 2, 3, 16, 9, 0, STANDARD.leaving());

    public FinalRule {
        if (!(halfWidth > 0 && Double.isFinite(halfWidth))
                || firstLook < Turns.MIN_TURNS
                || leastTurns < firstLook
                || mostTurns < leastTurns) {
            throw new IllegalArgumentException("a final wants a positive half width, at least " + Turns.MIN_TURNS
                    + " turns before a look, and no fewer at the least and at the most, got " + halfWidth + ", "
                    + firstLook + ", " + leastTurns + " and " + mostTurns);
        }
    }

    /** Whether the final is over. */
    public enum Answer {
        GO_ON,
        NARROW,
        ENOUGH
    }

    /**
     * Whether the final is over at an interval.
     *
     * @param ratio of our best kernel to the best peer
     * @param turns how many there were so far
     * @param runs how many runs all arms had so far
     */
    public Answer answer(Ratio ratio, int turns, int runs) {
        double half = halfWidth(ratio);
        if (turns < STATED) {
            return Answer.GO_ON;
        }
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
     * @param ours how many of our kernels might have come out best
     * @param peers how many peers might have come out best
     */
    public static Ratio ratio(PairedBlocks pair, int ours, int peers) {
        double each = (1 - TAKEN) / 2;
        return pair.ratio(each / Math.max(1, ours), each / Math.max(1, peers));
    }
}
