package dev.tilewright.worker.measure;

import dev.tilewright.worker.stats.TwoStage;

/**
 * How much is timed.
 *
 * @param leastLaunches launches of a run at the least
 * @param screenRuns runs of a screen, each in a block with one of the anchor
 * @param screenNs duration of such a run at the least, and of any run at the same clock
 * @param settleNs how long an arm of a final runs before it is timed, so that the clock follows its load
 * @param timedNs how long it is then timed
 * @param turns accepted turns of a final, or of its first stage; in each, every arm has one block
 * @param ratio how narrow a final's ratio shall be, and how many turns it may take
 * @param coldLaunches launches of a cold block, each behind a flush of L2
 * @param settle when the clock counts as settled before the contenders race at the same clock
 * @param sameClock how they race there
 * @param steadyState how those that are left race on
 */
public record TimingPlan(
        int leastLaunches,
        int screenRuns,
        double screenNs,
        double settleNs,
        double timedNs,
        int turns,
        TwoStage ratio,
        int coldLaunches,
        SettleRule settle,
        RacePlan sameClock,
        RacePlan steadyState) {

    /**
     * Half a percent to each side: what is nearer to one is as fast. A GPU at its power limit may need hundreds of
     * turns for that; forty halve what ten give.
     */
    private static final TwoStage HALF_A_PERCENT = new TwoStage(0.005, 40);

    /**
     * What the methodology asks for. Under the power limit the clock lags the load by about 0.1 s: of the clock of the
     * arm before it a sixth is left in what is timed.
     */
    public static final TimingPlan STANDARD = new TimingPlan(5, 3, 2e6, 100e6, 200e6, 10, 7);

    /** With the standard ratio and races. */
    public TimingPlan(
            int leastLaunches,
            int screenRuns,
            double screenNs,
            double settleNs,
            double timedNs,
            int turns,
            int coldLaunches) {
        this(
                leastLaunches,
                screenRuns,
                screenNs,
                settleNs,
                timedNs,
                turns,
                HALF_A_PERCENT,
                coldLaunches,
                SettleRule.RACE,
                RacePlan.SAME_CLOCK,
                RacePlan.STEADY_STATE);
    }

    /** How many launches last this long. */
    int launches(double launchNs, double durationNs) {
        return Math.max(leastLaunches, (int) Math.min(1_000_000, Math.ceil(durationNs / launchNs)));
    }
}
