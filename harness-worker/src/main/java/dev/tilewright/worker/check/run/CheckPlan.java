package dev.tilewright.worker.check.run;

/**
 * How much is tried.
 *
 * @param sms SMs of the emulated GPU
 * @param seed of the first run; each further run has the next one
 * @param seeds number of runs
 * @param stepLimit warp instructions after which a run counts as endless
 */
public record CheckPlan(int sms, long seed, int seeds, long stepLimit) {
    public static final long ENDLESS = 2_000_000_000L;

    public CheckPlan {
        if (sms < 1 || seeds < 1 || stepLimit < 1) {
            throw new IllegalArgumentException("a check needs at least one SM, one seed and one step, got " + sms + ", "
                    + seeds + " and " + stepLimit);
        }
    }

    public CheckPlan(int sms, long seed, int seeds) {
        this(sms, seed, seeds, ENDLESS);
    }
}
