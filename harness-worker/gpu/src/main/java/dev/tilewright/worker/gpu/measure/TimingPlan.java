package dev.tilewright.worker.gpu.measure;

import java.util.OptionalDouble;

/**
 * How much is timed.
 *
 * @param firstLaunches of a kernel that nothing is known of: its warm-up, which says how long a launch takes
 * @param leastLaunches launches of a run at the least: more than one, for each but the first meets what the one before
 *     it left
 * @param screenRuns runs of a screen, each in a block with one of the anchor
 * @param screenNs duration of such a run at the least, and of any run at the same clock
 * @param race how long an arm runs in a turn of a race
 * @param calm how a final is run where the clock hardly changes from turn to turn
 * @param swinging how it is run where the clock swings, or where nobody knows
 * @param coldTurns cold turns of a final
 * @param coldLaunches launches of a cold block, each behind a flush of L2
 * @param settle when the clock counts as settled before the first race
 * @param sameClock how arms race at the same clock
 * @param betweenTeams how the firsts of teams race on in steady state
 * @param withinTeams how those that lead race with others of their teams
 * @param ofPeers how kernels of a peer race
 */
public record TimingPlan(
        int firstLaunches,
        int leastLaunches,
        int screenRuns,
        double screenNs,
        TurnLength race,
        FinalPlan calm,
        FinalPlan swinging,
        int coldTurns,
        int coldLaunches,
        SettleRule settle,
        RacePlan sameClock,
        RacePlan betweenTeams,
        RacePlan withinTeams,
        RacePlan ofPeers) {

    /** A launch takes microseconds: more than these last for seconds. */
    private static final int MOST_LAUNCHES = 1_000_000;

    /** The plan of the methodology. */
    public static final TimingPlan STANDARD = new TimingPlan(
            5,
            2,
            3,
            2e6,
            TurnLength.RACE,
            FinalPlan.CALM,
            FinalPlan.SWINGING,
            10,
            7,
            SettleRule.RACE,
            RacePlan.SAME_CLOCK,
            RacePlan.BETWEEN_TEAMS,
            RacePlan.WITHIN_TEAMS,
            RacePlan.OF_PEERS);

    /**
     * How a final is run.
     *
     * @param spread deviation of an arm's runs in the turns of a race, as a logarithm; empty if nothing raced
     */
    public FinalPlan finalPlan(OptionalDouble spread) {
        return spread.isPresent() && !FinalPlan.swings(spread.getAsDouble()) ? calm : swinging;
    }

    /**
     * How many launches last this long. More launches than sets of operands are a multiple of them: where a set lies in
     * memory makes a short launch up to some percent longer, and two runs are alike if each meets every set equally
     * often.
     */
    int launches(Arm arm, double launchNs, double durationNs) {
        int launches = Math.max(leastLaunches, (int) Math.min(MOST_LAUNCHES, Math.ceil(durationNs / launchNs)));
        return launches <= arm.sets() ? launches : Math.ceilDiv(launches, arm.sets()) * arm.sets();
    }
}
