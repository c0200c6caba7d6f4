package dev.tilewright.worker.gpu.stats.race;

import java.util.ArrayList;
import java.util.List;

/**
 * Who leaves a race: an arm of which it is certain enough that it is more than the margin behind the leader.
 *
 * <p>The bound is Student's of the paired log-ratios. An arm of a few turns hardly knows its own spread, so the spread
 * of all arms counts beside it (a moderated t, as Smyth's of 2004). Each look spends its part of the error, divided
 * among all rivals that the race began with: whatever is looked at, the arm that is truly best leaves with at most the
 * stated probability.
 *
 * @param margin by how much an arm may be behind without leaving, as a share of the time
 * @param error greatest probability that the best arm leaves at any look
 */
public record Elimination(double margin, SpentError error) {

    public Elimination {
        if (!(margin >= 0 && Double.isFinite(margin))) {
            throw new IllegalArgumentException("a margin is not negative, got " + margin);
        }
    }

    /** One that leaves. */
    public record Leaver(int arm, Behind behind) {}

    /**
     * How it stands after a look.
     *
     * @param leader the fastest so far
     * @param leavers the slowest first
     * @param staying the others, the fastest first
     */
    public record Look(int leader, List<Leaver> leavers, List<Integer> staying) {}

    /**
     * Looks.
     *
     * @param turns of all arms that are in
     * @param look which look this is, from 1
     * @param began how many arms the race began with
     * @param wanted how many arms stay in any case
     */
    public Look look(Turns turns, int look, int began, int wanted) {
        List<Integer> ranked = turns.ranked();
        int leader = ranked.getFirst();
        List<Integer> slowest = ranked.subList(1, ranked.size()).reversed();
        List<Behind> behind = turns.behind(slowest, leader, error.at(look) / Math.max(1, began - 1));
        List<Leaver> leavers = new ArrayList<>();
        List<Integer> staying = new ArrayList<>(ranked);
        for (int place = 0; place < slowest.size() && staying.size() > Math.max(1, wanted); place++) {
            if (behind.get(place).low() > Math.log1p(margin)) {
                leavers.add(new Leaver(slowest.get(place), behind.get(place)));
                staying.remove(slowest.get(place));
            }
        }
        return new Look(leader, List.copyOf(leavers), List.copyOf(staying));
    }
}
