package dev.tilewright.worker.gpu.measure;

import dev.tilewright.worker.gpu.stats.race.Elimination;
import dev.tilewright.worker.gpu.stats.race.SpentError;
import dev.tilewright.worker.gpu.stats.race.Turns;

/**
 * How a race is run.
 *
 * @param first blocks before the first look
 * @param step blocks before each further look; both an even number where orders are mirrored
 * @param most blocks at the most
 * @param leaving which arms leave at a look
 */
public record RacePlan(int first, int step, int most, Elimination leaving) {

    /**
     * So many kernels of a peer race in steady state: the fastest at the same clock. In five finals of an H100 with
     * nine to eleven kernels of the vendor, the best in steady state was first or second at the same clock.
     */
    public static final int PEERS = 4;

    /** Greatest probability that a race loses its best arm. */
    private static final SpentError ERROR = new SpentError(0.05);

    /**
     * At the same clock, where a kernel that draws less power does not show its higher clock: up to 7 % between kernels
     * of equal speed in steady state was seen on an H200 at its power limit, so only what is further behind leaves
     * here.
     */
    public static final RacePlan SAME_CLOCK = new RacePlan(4, 4, 4, new Elimination(0.07, ERROR));

    /**
     * Between teams in steady state: others of a team may well be 1 % faster than its first. Two turns tell which teams
     * may lead; who leads them is decided within them.
     */
    public static final RacePlan BETWEEN_TEAMS = new RacePlan(2, 1, 2, new Elimination(0.01, ERROR));

    /**
     * Within teams in steady state, where what is slower is slower for the user. Some seven kernels within about a
     * hundredth reach it. A third turn held the truth of synthetic finals no more often than two do.
     */
    public static final RacePlan WITHIN_TEAMS = new RacePlan(2, 1, 2, new Elimination(0, ERROR));

    /** Of a peer's kernels in steady state. The longer turns of the final say as much in the same time. */
    public static final RacePlan OF_PEERS = new RacePlan(2, 1, 3, new Elimination(0, ERROR));

    public RacePlan {
        if (first < Turns.MIN_TURNS || step < 1 || most < first) {
            throw new IllegalArgumentException("a race looks after at least " + Turns.MIN_TURNS
                    + " blocks, then after each more, and ends after no fewer, got " + first + ", " + step + " and "
                    + most);
        }
    }
}
