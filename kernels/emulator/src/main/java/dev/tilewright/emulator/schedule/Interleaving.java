package dev.tilewright.emulator.schedule;

import dev.tilewright.emulator.machine.Strand;
import java.util.List;
import java.util.SplittableRandom;

/**
 * All choices of order in a run, drawn from its seed: in which order strands run and for how long, when copies land,
 * when lanes run apart.
 *
 * <pre>
 *   seed      strands
 *   0         in turn; copies land at once, lanes stay together: the tame run
 *   1 mod 4   one role is starved throughout
 *   2 mod 4   one role runs ahead throughout
 *   3 mod 4   somebody is starved for a while, then somebody else
 *   0 mod 4   at random
 * </pre>
 *
 * In every second seed lanes run apart now and then, and those left behind are starved.
 */
public final class Interleaving {
    /** When asynchronous work is done. */
    private enum Arrival {
        /** As soon as may be. */
        EARLY,
        ANY,
        /** Only when nobody can run. */
        LATE
    }

    private static final int LONGEST_BURST = 24;
    private static final int SPLIT_ODDS = 24;

    private final SplittableRandom random;
    private final boolean tame;
    private final Arrival arrival;
    private final int splitOdds;
    /** In quarters: how often a try_wait gives up. */
    private final int impatience;

    private final Starvation starvation;

    private Interleaving(
            SplittableRandom random,
            boolean tame,
            Arrival arrival,
            int splitOdds,
            int impatience,
            Starvation starvation) {
        this.random = random;
        this.tame = tame;
        this.arrival = arrival;
        this.splitOdds = splitOdds;
        this.impatience = impatience;
        this.starvation = starvation;
    }

    /**
     * The choices of a seed.
     *
     * @param roles first warp and number of warps of each role of the kernel, which may be starved together
     */
    public static Interleaving of(long seed, int[][] roles) {
        SplittableRandom random = new SplittableRandom(seed * 0x9E3779B97F4A7C15L);
        if (seed == 0) {
            return new Interleaving(random, true, Arrival.EARLY, 0, 0, Starvation.none());
        }
        int turn = (int) Math.floorMod(Math.floorDiv(seed, 4), Math.max(1L, roles.length));
        Starvation starvation = switch (Math.floorMod(seed, 4)) {
            case 1 -> roles.length == 0 ? Starvation.changing(random, roles) : Starvation.of(roles[turn]);
            case 2 -> roles.length == 0 ? Starvation.changing(random, roles) : Starvation.allBut(roles[turn]);
            case 3 -> Starvation.changing(random, roles);
            default -> Starvation.none();
        };
        Arrival arrival = Arrival.values()[random.nextInt(Arrival.values().length)];
        boolean splits = Math.floorMod(Math.floorDiv(seed, 2), 2) == 0;
        return new Interleaving(random, false, arrival, splits ? SPLIT_ODDS : 0, 1 + random.nextInt(3), starvation);
    }

    /** The order in which things of that number begin. */
    public int[] permutation(int count) {
        int[] order = new int[count];
        for (int i = 0; i < count; i++) {
            int j = tame ? i : random.nextInt(i + 1);
            order[i] = order[j];
            order[j] = i;
        }
        return order;
    }

    /** Whether strands must stay in the order in which they became ready. */
    boolean keepsOrder() {
        return tame;
    }

    /** Index of the strand that runs next: one that is not starved, if there is one; lanes left behind come last. */
    int pick(List<Strand> ready) {
        if (tame) {
            return 0;
        }
        starvation.turn(ready);
        int size = ready.size();
        int first = random.nextInt(size);
        int starved = -1;
        for (int i = 0; i < size; i++) {
            int index = first + i < size ? first + i : first + i - size;
            Strand strand = ready.get(index);
            if (!strand.isBehind()) {
                if (!starvation.starves(strand.warp())) {
                    return index;
                }
                starved = starved < 0 ? index : starved;
            }
        }
        return starved < 0 ? first : starved;
    }

    /** Instructions that a strand runs before the next choice. */
    public int burst() {
        return tame ? 8 : 1 + random.nextInt(LONGEST_BURST);
    }

    /** Whether asynchronous work goes on now; before lanes left behind always. */
    public boolean copyNext(List<Strand> ready) {
        boolean waiting = true;
        for (int i = 0; i < ready.size() && waiting; i++) {
            waiting = ready.get(i).isBehind();
        }
        return waiting
                || switch (arrival) {
                    case EARLY -> random.nextInt(4) != 0;
                    case ANY -> random.nextInt(8) == 0;
                    case LATE -> false;
                };
    }

    /** One of that many pending operations. */
    public int operation(int count) {
        return tame ? 0 : random.nextInt(count);
    }

    /** Whether lanes run apart at this instruction. */
    public boolean split() {
        return splitOdds > 0 && random.nextInt(splitOdds) == 0;
    }

    /** Whether a try_wait gives up although it could wait on: its time limit is the hardware's business. */
    public boolean givesUp() {
        return random.nextInt(4) < impatience;
    }

    /** Some of the lanes: not none, not all. */
    public int someOf(int mask) {
        int lowest = Integer.lowestOneBit(mask);
        if (random.nextBoolean()) {
            return lowest;
        }
        int some = mask & random.nextInt();
        return some == 0 || some == mask ? lowest : some;
    }
}
