package dev.tilewright.worker.measure;

/**
 * How much is timed.
 *
 * @param leastLaunches launches of a run at the least
 * @param screenRuns runs of a screen, each in a block with one of the anchor
 * @param screenNs duration of such a run at the least, and of any run at the same clock
 * @param settleNs how long an arm of a final runs before it is timed, so that the clock follows its load
 * @param timedNs how long it is then timed
 * @param turns accepted turns of a final; in each, every arm has one block
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
        int coldLaunches,
        SettleRule settle,
        RacePlan sameClock,
        RacePlan steadyState) {

    /** What the methodology asks for: the clock lags the load by about 0.1 s under the power limit. */
    public static final TimingPlan STANDARD = new TimingPlan(5, 3, 2e6, 80e6, 75e6, 10, 7);

    /** With the standard races. */
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
