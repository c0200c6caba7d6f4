package dev.tilewright.worker.gpu.measure;

/**
 * How long an arm runs in one turn of the steady state.
 *
 * @param settleNs before it is timed, so that the clock follows its load
 * @param timedNs while it is timed
 */
public record TurnLength(double settleNs, double timedNs) {

    /**
     * Of a race: the least there may be. Of the clock of the arm before it more than a third is left in what is timed;
     * an arm that is far behind is nevertheless, and turns of twice the length say in the same time no more of two that
     * are close.
     */
    public static final TurnLength RACE = new TurnLength(60e6, 70e6);

    /** Of a final. The clock lags the load by about 0.1 s: of the arm before it a sixth is left in what is timed. */
    public static final TurnLength FINAL = new TurnLength(100e6, 200e6);

    /**
     * Of a final where the power limit makes the clock swing. On an H100 at its limit the clock swings by 10 % once in
     * 0.9 to 1.3 s, whatever runs: the mean of 0.2 s of one kernel deviates by 0.8 to 2.7 %, that of 1 s by 0.04 to 0.2
     * %. So a turn lasts about a whole swing. Of the clock of the arm before it a twentieth is left in what is timed.
     */
    public static final TurnLength SWING = new TurnLength(100e6, 800e6);
}
