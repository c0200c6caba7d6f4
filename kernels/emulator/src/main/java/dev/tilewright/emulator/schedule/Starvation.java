package dev.tilewright.emulator.schedule;

import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Picks the warps that run only when no other warp can. */
final class Starvation {
    /** The warps that are starved. */
    private sealed interface Victim {
        boolean is(Schedulable strand);

        /** Some warps, in all CTAs; or all others. */
        record Warps(int first, int count, boolean others) implements Victim {
            @Override
            public boolean is(Schedulable strand) {
                boolean among = strand.warpIndex() >= first && strand.warpIndex() < first + count;
                return among != others;
            }
        }

        /** One CTA of each cluster. */
        record Rank(int rank) implements Victim {
            @Override
            public boolean is(Schedulable strand) {
                return strand.rank() == rank;
            }
        }

        /** Nobody. */
        record Nobody() implements Victim {
            @Override
            public boolean is(Schedulable strand) {
                return false;
            }
        }
    }

    private final @Nullable SplittableRandom random;
    private final int[][] roles;
    private Victim victim;
    private int untilNext;

    private Starvation(@Nullable SplittableRandom random, int[][] roles, Victim victim) {
        this.random = random;
        this.roles = roles;
        this.victim = victim;
    }

    static Starvation none() {
        return new Starvation(null, new int[0][], new Victim.Nobody());
    }

    /** One role throughout: first warp and number of warps. */
    static Starvation of(int[] role) {
        return new Starvation(null, new int[0][], new Victim.Warps(role[0], role[1], false));
    }

    /** All but one role throughout. */
    static Starvation allBut(int[] role) {
        return new Starvation(null, new int[0][], new Victim.Warps(role[0], role[1], true));
    }

    /** One warp for a while, then another. */
    static Starvation changing(SplittableRandom random, int[][] roles) {
        return new Starvation(random, roles, new Victim.Nobody());
    }

    /** A choice is made among these; time for another victim, maybe. */
    void choose(List<? extends Schedulable> ready) {
        SplittableRandom choices = random;
        if (choices == null || untilNext-- > 0) {
            return;
        }
        Schedulable some = ready.get(choices.nextInt(ready.size()));
        victim = switch (choices.nextInt(roles.length == 0 ? 4 : 6)) {
            case 0 -> new Victim.Warps(some.warpIndex(), 1, false);
            case 1 -> new Victim.Warps(some.warpIndex(), 1, true);
            case 2 -> new Victim.Warps(some.warpIndex() / 4 * 4, 4, false);
            case 3 -> new Victim.Rank(some.rank());
            default -> {
                int[] role = roles[choices.nextInt(roles.length)];
                yield new Victim.Warps(role[0], role[1], false);
            }
        };
        untilNext = 1 << choices.nextInt(4, 14);
    }

    boolean starves(Schedulable strand) {
        return victim.is(strand);
    }
}
