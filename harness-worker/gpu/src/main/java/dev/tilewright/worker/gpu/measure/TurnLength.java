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
}
