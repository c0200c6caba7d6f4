package dev.tilewright.emulator.run;

/**
 * How the clusters of a grid come to run. The seed chooses the moments within these bounds.
 *
 * @param latency most steps between SMs becoming free and the launch of a cluster there
 * @param spuriousFailures of a hundred answers of clusterlaunchcontrol.try_cancel, so many fail although clusters are
 *     pending
 * @param busySms SMs that something else occupies at first and that become free some time in the run; as many are free
 *     from the beginning as one cluster needs
 * @param preemption whether a kernel of higher priority comes: from some moment on no cluster is launched and every
 *     answer fails, until it has gone; what is left is launched then
 */
public record Launching(int latency, int spuriousFailures, int busySms, boolean preemption) {
    /** A cluster is launched as soon as there is room, and answers fail only when none is left. */
    public static final Launching PROMPT = new Launching(0, 0, 0, false);

    public Launching {
        if (latency < 0 || spuriousFailures < 0 || spuriousFailures > 100 || busySms < 0) {
            throw new IllegalArgumentException("needs a latency and busy SMs of 0 or more and 0 to 100 failures of 100,"
                    + " got " + latency + ", " + busySms + " and " + spuriousFailures);
        }
    }

    /**
     * All that may happen: late launches, an SM that is busy at first, preemption, and an answer in eight that fails.
     */
    public static Launching rough() {
        return new Launching(2_000, 12, 1, true);
    }
}
