package dev.tilewright.api.study;

import dev.tilewright.model.exchange.Budget;
import dev.tilewright.space.SpaceSummary;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** When a study has spent what it may. */
public record Spending(Budget budget) {

    /** The most trials of a study that stops by itself. */
    private static final int MAX_TRIALS_BY_ITSELF = 160;

    /** The fewest trials that have completed when a study stops by itself. */
    private static final int MIN_COMPLETED_BY_ITSELF = 32;

    /** A study stops by itself when the next config is expected to be faster by less than this part. */
    private static final double WORTH_A_TRIAL = 0.001;

    /** Of so few nobody takes the mean: the first ones wait for everything that is made once. */
    private static final int FEW = 8;

    /**
     * A study that stops by itself asks for nothing more when what it asked for takes so long of a GPU, however few.
     */
    private static final Duration LONGEST_BY_ITSELF = Duration.ofSeconds(12);

    /** The same with the twins of the best: the twins that would take it beyond this are left out. */
    private static final Duration LONGEST_WITH_TWINS = Duration.ofSeconds(20);

    /** A study that stops by itself gives up when the GPU was disturbed in each of so many trials. */
    private static final int DISTURBED = 32;

    /** Configs that may be evaluated. */
    public int mostTrials() {
        return budget.trials() == null ? MAX_TRIALS_BY_ITSELF : budget.trials();
    }

    /** The same of a space, which may be smaller; {@code null} if it is not known yet. */
    public int mostTrials(@Nullable SpaceSummary space) {
        return space == null ? mostTrials() : (int) Math.min(mostTrials(), space.size());
    }

    /**
     * How many twins of the best there is time for. Where a number of trials was asked for, time is no matter.
     *
     * @param completed trials so far
     * @param open trials that are asked for and not over
     * @param spent what the trials took of a GPU so far; nothing where there is none
     */
    public int twinsInTime(int completed, int open, Duration spent) {
        if (budget.trials() != null || completed == 0 || spent.isZero()) {
            return Integer.MAX_VALUE;
        }
        long trials = LONGEST_WITH_TWINS.multipliedBy(completed).dividedBy(spent);
        return Math.clamp(trials - completed - open, 0, Integer.MAX_VALUE);
    }

    /**
     * Whether another trial is worth its time.
     *
     * @param completed trials so far
     * @param open trials that are asked for and not over
     * @param spent what the trials took of a GPU so far; nothing where there is none
     * @param gain by which part the next one is expected to be faster than the best so far
     */
    public boolean isWorthIt(int completed, int open, Duration spent, double gain) {
        return budget.trials() != null
                || completed < FEW
                || spent.multipliedBy(completed + open).dividedBy(completed).compareTo(LONGEST_BY_ITSELF) < 0
                        && (completed < MIN_COMPLETED_BY_ITSELF || gain >= WORTH_A_TRIAL);
    }

    /**
     * Whether nothing more is asked for because the GPU is not left alone.
     *
     * @param finished trials that are over
     * @param noise those of them that could not be timed
     */
    public boolean givesUp(int finished, int noise) {
        return budget.trials() == null && finished >= DISTURBED && noise == finished;
    }
}
