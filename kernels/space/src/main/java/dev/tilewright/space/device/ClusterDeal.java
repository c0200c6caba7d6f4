package dev.tilewright.space.device;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * How an empty GPU deals the clusters of a launch out to its GPCs. In each round every GPC gets one cluster. In later
 * rounds only the larger GPCs get one. The order of the GPCs changes from launch to launch, but is the same in all
 * rounds of a launch: clusters that come at the same point of their rounds share a GPC.
 *
 * @param first clusters before the rounds, by id, which go elsewhere
 * @param gpcs how many GPCs get a cluster in a round, at least 1
 * @param rounds how many of these there are
 * @param laterGpcs how many GPCs get a cluster in a later round
 * @param laterRounds how many of these there are; what is left behind them goes elsewhere
 */
public record ClusterDeal(int first, int gpcs, int rounds, int laterGpcs, int laterRounds) {

    /** So many rounds must be alike before they count as a pattern. */
    private static final int MIN_ALIKE_ROUNDS = 2;

    public ClusterDeal {
        if (first < 0 || gpcs < 1 || rounds < 0 || laterGpcs < 0 || laterRounds < 0) {
            throw new IllegalArgumentException("a deal has at least one GPC and no negative number, got " + first + ", "
                    + gpcs + " x " + rounds + ", " + laterGpcs + " x " + laterRounds);
        }
    }

    /** One cluster to each of so many GPCs in a round. Only whole rounds count. */
    public static ClusterDeal roundRobin(int clusters, int gpcs) {
        return new ClusterDeal(0, gpcs, clusters / gpcs, 0, 0);
    }

    /**
     * The counts that a launch shows.
     *
     * @param seen the GPC of each cluster, by its id; any numbers that tell GPCs apart
     */
    public static ClusterDeal of(List<Integer> seen) {
        return IntStream.range(0, seen.size())
                .boxed()
                .flatMap(first -> IntStream.rangeClosed(1, (seen.size() - first) / MIN_ALIKE_ROUNDS)
                        .mapToObj(gpcs -> from(seen, first, gpcs)))
                .max((one, other) -> Integer.compare(one.dealt(), other.dealt()))
                .orElse(new ClusterDeal(0, 1, 0, 0, 0));
    }

    /** The rounds that begin at a cluster and go to so many GPCs, and the longest later rounds behind them. */
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

    /** How many whole rounds have the same order of GPCs. */
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
        return rounds < MIN_ALIKE_ROUNDS ? 0 : rounds;
    }

    /** Clusters of all rounds. */
    private int dealt() {
        return gpcs * rounds + laterGpcs * laterRounds;
    }

    /** The same deal for a launch of fewer clusters. Only whole rounds count. */
    public ClusterDeal within(int clusters) {
        int whole = Math.clamp((clusters - first) / gpcs, 0, rounds);
        int left = whole < rounds || laterGpcs == 0 ? 0 : (clusters - first - gpcs * rounds) / laterGpcs;
        return new ClusterDeal(first, gpcs, whole, laterGpcs, Math.clamp(left, 0, laterRounds));
    }

    /**
     * The number of a cluster in GPC order, in which the clusters of one GPC follow each other. For a launch that has
     * all of the rounds, this is a permutation of the ids.
     */
    public int inGpcOrder(int cluster) {
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
