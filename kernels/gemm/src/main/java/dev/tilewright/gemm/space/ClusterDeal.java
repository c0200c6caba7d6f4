package dev.tilewright.gemm.space;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * To which GPC a GPU deals each cluster of a launch that finds it empty. Which number a GPC has says nothing; only that
 * two clusters have the same one does.
 *
 * @param seen for a number of CTAs of a cluster, the GPC of each cluster by its id, of all that are there at a time;
 *     where nothing was seen, clusters are taken to be dealt out one by one
 * @param smCount SMs of the GPU
 */
public record ClusterDeal(Map<Integer, List<Integer>> seen, int smCount) {

    /** Of Hopper and Blackwell data-centre parts most have so many, or a few more. */
    private static final int SMS_PER_GPC = 16;

    /** So many at the least: on one all orders are the same. */
    private static final int FEWEST_GPCS = 2;

    public ClusterDeal {
        seen = Map.copyOf(seen);
    }

    /** Of a GPU that nobody has looked at. */
    public static ClusterDeal assumed(int smCount) {
        return new ClusterDeal(Map.of(), smCount);
    }

    /**
     * The place of each cluster among those of a launch, wave by wave and in a wave GPC by GPC: a permutation of the
     * numbers below {@code clusters}, whatever was seen. A later wave is taken to be dealt out as the first.
     *
     * @param clusterSize CTAs of a cluster
     * @param clusters of the launch
     */
    public List<Integer> places(int clusterSize, int clusters) {
        List<Integer> gpcs = seen.getOrDefault(clusterSize, dealtInTurn(clusterSize));
        int wave = gpcs.size();
        List<Integer> order = IntStream.range(0, clusters)
                .boxed()
                .sorted(Comparator.<Integer>comparingInt(cluster -> cluster / wave)
                        .thenComparingInt(cluster -> gpcs.get(cluster % wave)))
                .toList();
        Integer[] places = new Integer[clusters];
        IntStream.range(0, clusters).forEach(place -> places[order.get(place)] = place);
        return List.of(places);
    }

    private List<Integer> dealtInTurn(int clusterSize) {
        int gpcs = Math.max(FEWEST_GPCS, smCount / SMS_PER_GPC);
        int wave = Math.max(1, smCount / clusterSize);
        return IntStream.range(0, wave).map(cluster -> cluster % gpcs).boxed().toList();
    }
}
