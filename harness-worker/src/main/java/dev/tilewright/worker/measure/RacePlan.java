package dev.tilewright.worker.measure;

/**
 * How a race is run.
 *
 * @param looks how often the standing is looked at, at the most
 * @param blocksPerLook blocks before each look, an even number where orders are mirrored
 * @param margin how much slower than the leader an arm may be without leaving, as a share of the time
 * @param error greatest probability that the arm that is truly best leaves at any look
 */
public record RacePlan(int looks, int blocksPerLook, double margin, double error) {

    /**
     * At the same clock, where a kernel that draws less power does not show its higher clock: up to 7 % between kernels
     * of equal speed in steady state was seen on an H200 at its power limit, so only what is further behind leaves
     * here.
     */
    public static final RacePlan SAME_CLOCK = new RacePlan(6, 4, 0.07, 0.05);

    /** In steady state, where what is slower is slower for the user. */
    public static final RacePlan STEADY_STATE = new RacePlan(3, 3, 0, 0.05);

    /** The same, but an arm may be so much slower than the leader without leaving. */
    public RacePlan within(double slower) {
        return new RacePlan(looks, blocksPerLook, slower, error);
    }

    public RacePlan {
        if (looks < 1 || blocksPerLook < 3 || margin < 0 || !(error > 0 && error < 1)) {
            throw new IllegalArgumentException(
                    "a race has looks of at least 3 blocks, a margin from 0 and an error in 0..1, got " + looks + ", "
                            + blocksPerLook + ", " + margin + " and " + error);
        }
    }
}
