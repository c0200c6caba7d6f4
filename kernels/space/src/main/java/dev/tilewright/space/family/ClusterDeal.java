package dev.tilewright.space.family;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * How a GPU that is empty deals the clusters of a launch out to its GPCs: in rounds, a cluster to each GPC in every
 * round, then in later rounds to those GPCs alone that are larger. Which GPC is the first changes from launch to
 * launch; that clusters of the same turn in each round share a GPC does not.
 *
 * @param first clusters before the rounds, by id, which go elsewhere
 * @param gpcs turns of a round, at least 1
 * @param rounds how many of these there are
 * @param laterGpcs turns of a later round
 * @param laterRounds how many of these there are; what is left behind them goes elsewhere
 */
public record ClusterDeal(int first, int gpcs, int rounds, int laterGpcs, int laterRounds) {

    /** A pattern of fewer rounds is none. */
    private static final int FEWEST_ROUNDS = 2;

    public ClusterDeal {
        if (first < 0 || gpcs < 1 || rounds < 0 || laterGpcs < 0 || laterRounds < 0) {
            throw new IllegalArgumentException("a deal has turns to at least one GPC and no negative number, got "
                    + first + ", " + gpcs + " x " + rounds + ", " + laterGpcs + " x " + laterRounds);
        }
    }

    /** One by one to so many GPCs, as far as the rounds are whole. */
    public static ClusterDeal inTurn(int clusters, int gpcs) {
        return new ClusterDeal(0, gpcs, clusters / gpcs, 0, 0);
    }

    /**
     * What a launch shows.
     *
     * @param seen the GPC of each cluster, by its id; any numbers that tell GPCs apart
     */
    public static ClusterDeal of(List<Integer> seen) {
        return IntStream.range(0, seen.size())
                .boxed()
                .flatMap(first -> IntStream.rangeClosed(1, (seen.size() - first) / FEWEST_ROUNDS)
                        .mapToObj(gpcs -> from(seen, first, gpcs)))
                .max((one, other) -> Integer.compare(one.dealt(), other.dealt()))
                .orElse(new ClusterDeal(0, 1, 0, 0, 0));
    }

    /** The rounds that begin with a cluster and have so many turns, and the longest later ones. */
    private static ClusterDeal from(List<Integer> seen, int first, int gpcs) {
        int rounds = rounds(seen, first, gpcs);
        int behind = first + gpcs * rounds;
        ClusterDeal deal = new ClusterDeal(first, gpcs, rounds, 0, 0);
        for (int later = 1; rounds > 0 && later < gpcs; later++) {
            int laterRounds = rounds(seen, behind, later);
            if (later * laterRounds > deal.laterGpcs * deal.laterRounds) {
                deal = new ClusterDeal(first, gpcs, rounds, later, laterRounds);
            }
        }
        return deal;
    }

    /** How many whole rounds go alike, each GPC with one turn. */
    private static int rounds(List<Integer> seen, int first, int gpcs) {
        if (first + gpcs > seen.size()
                || seen.subList(first, first + gpcs).stream().distinct().count() < gpcs) {
            return 0;
        }
        int end = first + gpcs;
        while (end < seen.size() && seen.get(end).equals(seen.get(end - gpcs))) {
            end++;
        }
        int rounds = (end - first) / gpcs;
        return rounds < FEWEST_ROUNDS ? 0 : rounds;
    }

    /** Clusters of all rounds. */
    private int dealt() {
        return gpcs * rounds + laterGpcs * laterRounds;
    }

    /** The same as far as the rounds are whole of a launch of so many clusters. */
    public ClusterDeal within(int clusters) {
        int whole = Math.clamp((clusters - first) / gpcs, 0, rounds);
        int left = whole < rounds || laterGpcs == 0 ? 0 : (clusters - first - gpcs * rounds) / laterGpcs;
        return new ClusterDeal(first, gpcs, whole, laterGpcs, Math.clamp(left, 0, laterRounds));
    }

    /**
     * The place of a cluster among those of the launch: clusters of one turn side by side. A permutation of the ids of
     * any launch that has all of the rounds.
     */
    public int place(int cluster) {
        int in = cluster - first;
        int all = gpcs * rounds;
        if (in >= 0 && in < all) {
            return first + in % gpcs * rounds + in / gpcs;
        }
        int later = in - all;
        if (later >= 0 && later < laterGpcs * laterRounds) {
            return first + all + later % laterGpcs * laterRounds + later / laterGpcs;
        }
        return cluster;
    }

    /** By the number of CTAs of a cluster, what launches of clusters of each size show; the map is the caller's. */
    public static Map<Integer, ClusterDeal> ofEach(Map<Integer, List<Integer>> seen) {
        Map<Integer, ClusterDeal> deals = new TreeMap<>();
        seen.forEach((clusterSize, gpcs) -> deals.put(clusterSize, of(gpcs)));
        return deals;
    }
}
