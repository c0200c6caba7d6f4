package dev.tilewright.worker.gpu.stats.race;

import java.util.ArrayList;
import java.util.List;

/**
 * Arms that leave a race or a final: they are surely behind the leader by more than the margin.
 *
 * <p>"Surely" means that the lower bound of the time behind is above the margin. The bound is Student's, computed from
 * the paired log-ratios. After a few turns an arm's own spread is hardly known, so the spread of all arms counts too (a
 * moderated t, as Smyth's of 2004). Each look spends its part of the error. That part is divided among all rivals that
 * were there at the beginning. So the arm that is truly best leaves with at most the stated probability, however often
 * the race is looked at.
 *
 * @param margin how far an arm may be behind without leaving, as a share of the time
 * @param error greatest probability that the best arm leaves, over all looks
 */
public record Elimination(double margin, SpentError error) {

    public Elimination {
        if (!(margin >= 0 && Double.isFinite(margin))) {
            throw new IllegalArgumentException("a margin is not negative, got " + margin);
        }
    }

    /** An arm that leaves, and how far it is behind the leader. */
    public record Leaver(int arm, Behind behind) {}

    /**
     * The result of a look.
     *
     * @param leader the fastest arm so far
     * @param leavers the arms that leave, the slowest first
     * @param staying the arms that stay, the leader too, the fastest first
     */
    public record Look(int leader, List<Leaver> leavers, List<Integer> staying) {}

    /**
     * Looks at the turns so far.
     *
     * @param turns of all arms that have not left
     * @param look number of this look, from 1
     * @param began how many arms there were at the beginning
     * @param wanted how many arms stay in any case
     */
    public Look look(Turns turns, int look, int began, int wanted) {
        List<Integer> ranked = turns.ranked();
        int leader = ranked.getFirst();
        List<Integer> slowest = ranked.subList(1, ranked.size()).reversed();
        List<Behind> behind = turns.behind(slowest, leader, error.at(look) / Math.max(1, began - 1));
        List<Leaver> leavers = new ArrayList<>();
        List<Integer> staying = new ArrayList<>(ranked);
        for (int i = 0; i < slowest.size() && staying.size() > Math.max(1, wanted); i++) {
            if (behind.get(i).low() > Math.log1p(margin)) {
                leavers.add(new Leaver(slowest.get(i), behind.get(i)));
                staying.remove(slowest.get(i));
            }
        }
        return new Look(leader, List.copyOf(leavers), List.copyOf(staying));
    }
}
