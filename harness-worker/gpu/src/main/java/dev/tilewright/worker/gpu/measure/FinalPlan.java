package dev.tilewright.worker.gpu.measure;

import dev.tilewright.worker.gpu.stats.race.FinalRule;

/**
 * How the sustained turns of a final are run.
 *
 * @param turn how long an arm runs in one
 * @param rule who leaves when, and when there are enough
 */
public record FinalPlan(TurnLength turn, FinalRule rule) {

    /**
     * So many of the peers' kernels are in a final: the fastest by the races. In five finals of an H100 with up to nine
     * of them, the best of all was one of these three. With two, the intervals of synthetic finals on a restless GPU
     * held the truth too seldom.
     */
    public static final int PEERS = 3;

    /** Plan for a clock that hardly changes from turn to turn. */
    public static final FinalPlan CALM = new FinalPlan(TurnLength.FINAL, FinalRule.STANDARD);

    /** Plan for a clock that swings by the power limit. */
    public static final FinalPlan SWINGING = new FinalPlan(TurnLength.SWING, FinalRule.OF_SWINGS);

    /**
     * So much do the runs of an arm deviate in the turns of a race where the clock swings. Short turns then need more
     * than a dozen for an interval of 1 %, and turns of about a swing need four.
     */
    private static final double SWINGS = 0.01;

    /** Whether a spread of runs, as a logarithm, is that of a clock that swings. */
    static boolean swings(double deviation) {
        return deviation > SWINGS;
    }
}
