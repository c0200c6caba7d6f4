package dev.tilewright.emulator.schedule;

import dev.tilewright.emulator.run.Mood;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * All choices of order in a run, drawn from its seed: in which order strands run and for how long, when copies land,
 * when lanes run apart.
 *
 * <pre>
 *   seed      strands
 *   0         in turn; copies land at once, lanes stay together: the tame run
 *   1 mod 5   one role is starved throughout
 *   2 mod 5   one role, or one warpgroup of a role of several, runs ahead throughout
 *   3 mod 5   somebody is starved for a while, then somebody else
 *   4 mod 5   in turn
 *   0 mod 5   at random
 * </pre>
 *
 * So {@value #KINDS} seeds in a row have every kind, and of three in a row one has its copies early, one late. In every
 * second pair of seeds lanes run apart now and then, and those left behind are starved. Where a mood is given, the seed
 * chooses within it.
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

    /** Seeds in a row that have every kind of interleaving. */
    public static final int KINDS = 5;

    private static final int STARVED = 1;
    private static final int AHEAD = 2;
    private static final int CHANGING = 3;
    private static final int IN_TURN = 4;
    private static final int WARPGROUP = 4;

    private static final int MAX_BURST_INSTRUCTIONS = 24;
    private static final int TAME_QUANTUM = 8;
    private static final int SPLIT_ODDS = 24;

    private final SplittableRandom random;
    private final boolean tame;
    /** Instructions that a strand runs at a time, where strands run in turn; 0 otherwise. */
    private final int quantum;

    private final Arrival arrival;
    private final int splitOdds;
    /** In quarters: how often a try_wait gives up. */
    private final int impatience;

    private final Starvation starvation;

    private Interleaving(
            SplittableRandom random,
            boolean tame,
            int quantum,
            Arrival arrival,
            int splitOdds,
            int impatience,
            Starvation starvation) {
        this.random = random;
        this.tame = tame;
        this.quantum = quantum;
        this.arrival = arrival;
        this.splitOdds = splitOdds;
        this.impatience = impatience;
        this.starvation = starvation;
    }

    /**
     * The choices of a seed.
     *
     * @param mood absent: the seed's choice too
     * @param roles first warp and number of warps of each role of the kernel, which may be starved together
     */
    public static Interleaving of(long seed, Optional<Mood> mood, int[][] roles) {
        SplittableRandom random = new SplittableRandom(seed * 0x9E3779B97F4A7C15L);
        if (seed == 0 && mood.isEmpty()) {
            return new Interleaving(random, true, TAME_QUANTUM, Arrival.EARLY, 0, 0, Starvation.none());
        }
        int kind = Math.floorMod(seed, KINDS);
        Starvation starvation = mood.isEmpty()
                ? starvation(kind, Math.floorDiv(seed, KINDS), random, roles)
                : switch (mood.get()) {
                    case IN_TURN, RANDOM -> Starvation.none();
                    case ADVERSARIAL -> starvation(1 + Math.floorMod(seed, 3), Math.floorDiv(seed, 3), random, roles);
                };
        Arrival arrival = Arrival.values()[Math.floorMod(seed, Arrival.values().length)];
        boolean splits = Math.floorMod(Math.floorDiv(seed, 2), 2) == 0;
        int impatience = 1 + random.nextInt(3);
        boolean inTurn = mood.map(given -> given == Mood.IN_TURN).orElse(kind == IN_TURN);
        return new Interleaving(
                random,
                false,
                inTurn ? 1 + random.nextInt(MAX_BURST_INSTRUCTIONS) : 0,
                arrival,
                splits ? SPLIT_ODDS : 0,
                impatience,
                starvation);
    }

    /** The starved warps: one role, all roles but one, some warps for a while, or none. */
    private static Starvation starvation(int kind, long which, SplittableRandom random, int[][] roles) {
        if (roles.length == 0) {
            return kind == IN_TURN || kind == 0 ? Starvation.none() : Starvation.changing(random, roles);
        }
        int[][] parts = parts(roles);
        return switch (kind) {
            case STARVED -> Starvation.of(roles[Math.floorMod(which, roles.length)]);
            // Not the one that has starved just before: the others ran ahead of it then.
            case AHEAD -> Starvation.allBut(parts[Math.floorMod(which + 1, parts.length)]);
            case CHANGING -> Starvation.changing(random, roles);
            default -> Starvation.none();
        };
    }

    /** The roles, those of several warpgroups as their warpgroups. */
    private static int[][] parts(int[][] roles) {
        List<int[]> parts = new ArrayList<>();
        for (int[] role : roles) {
            for (int warp = 0; warp < role[1]; warp += WARPGROUP) {
                parts.add(new int[] {role[0] + warp, Math.min(WARPGROUP, role[1] - warp)});
            }
        }
        return parts.toArray(int[][]::new);
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
        return quantum > 0;
    }

    /**
     * Index of the strand that runs next: one that is not starved, if there is one; then lanes left behind, and last
     * who only polls.
     */
    int pick(List<? extends Schedulable> ready) {
        if (quantum > 0) {
            return 0;
        }
        starvation.choose(ready);
        int size = ready.size();
        int first = random.nextInt(size);
        int starved = -1;
        int behind = -1;
        for (int i = 0; i < size; i++) {
            int index = first + i < size ? first + i : first + i - size;
            Schedulable strand = ready.get(index);
            if (strand.isBehind()) {
                behind = behind < 0 ? index : behind;
            } else if (!strand.polls()) {
                if (!starvation.starves(strand)) {
                    return index;
                }
                starved = starved < 0 ? index : starved;
            }
        }
        int waiting = behind < 0 ? first : behind;
        return starved < 0 ? waiting : starved;
    }

    /** Instructions that a strand runs before the next choice. */
    public int burst() {
        return quantum > 0 ? quantum : 1 + random.nextInt(MAX_BURST_INSTRUCTIONS);
    }

    /**
     * Whether asynchronous work goes on now; before lanes left behind always, before starved warps unless it is late.
     */
    public boolean copyNext(List<? extends Schedulable> ready) {
        boolean waiting = true;
        for (int i = 0; i < ready.size() && waiting; i++) {
            Schedulable strand = ready.get(i);
            waiting = strand.isBehind() || strand.polls() || (arrival != Arrival.LATE && starvation.starves(strand));
        }
        return waiting
                || switch (arrival) {
                    case EARLY -> random.nextInt(4) != 0;
                    case ANY -> random.nextInt(8) == 0;
                    case LATE -> false;
                };
    }

    /** Whether waits reach their time limit, maybe: nobody but the starved could go on. */
    boolean timesOut(List<? extends Schedulable> ready) {
        for (Schedulable strand : ready) {
            if (!strand.isBehind() && !starvation.starves(strand) && !strand.polls()) {
                return false;
            }
        }
        return !tame && !ready.isEmpty() && random.nextBoolean();
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

    /** Whether something happens that may or may not; never in the tame run. */
    public boolean perhaps() {
        return !tame && random.nextBoolean();
    }

    /** One of that many choices; the first in the tame run. */
    public int choice(int count) {
        return tame ? 0 : random.nextInt(count);
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
