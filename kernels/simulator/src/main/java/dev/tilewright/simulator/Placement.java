package dev.tilewright.simulator;

import dev.tilewright.model.problem.Scenario;
import java.util.List;
import java.util.stream.IntStream;

/**
 * A grid and the SMs that take it.
 *
 * @param launched clusters of the grid
 * @param clusters the same, of those that share their SMs one for all; they start in the order of their numbers, as
 *     slots become free
 * @param firstSms for each slot, the lowest SM id of those that hold its cluster
 * @param busyFirstSms the same for the slots that are there once the busy SMs become free
 */
record Placement(int launched, int clusters, List<Integer> firstSms, List<Integer> busyFirstSms) {

    Placement {
        firstSms = List.copyOf(firstSms);
        busyFirstSms = List.copyOf(busyFirstSms);
    }

    /**
     * Assigns the clusters of a grid to SMs. A cluster lies on neighbouring SM ids; SMs with the lowest ids are the
     * busy ones. A persistent grid has the clusters that are resident at once on the SMs that are free, as the launch
     * has. One of another size has as many as were asked for: its last clusters may wait until the first exit.
     *
     * @throws IllegalArgumentException if the grid holds no cluster, or the busy SMs leave room for none
     */
    static Placement of(GpuConstants.Topology topology, KernelCost kernel, Scenario scenario, int clusterTiles) {
        int size = kernel.cluster().size();
        int gridSize = kernel.schedule().launch().gridSize();
        int resident = topology.residentClusters(size);
        List<Integer> firstSms = slots(topology, size)
                .filter(sm -> sm >= scenario.busySms())
                .limit(resident)
                .boxed()
                .toList();
        List<Integer> busyFirstSms = slots(topology, size)
                .filter(sm -> sm < scenario.busySms())
                .limit(resident - firstSms.size())
                .boxed()
                .toList();
        if (firstSms.isEmpty()) {
            throw new IllegalArgumentException("busySms " + scenario.busySms() + " of " + topology.smCount()
                    + " SMs leaves no room for a cluster of " + size + " CTAs");
        }
        if (gridSize > 0 && gridSize < size) {
            throw new IllegalArgumentException("gridSize " + gridSize + " holds no cluster of " + size + " CTAs");
        }
        if (!kernel.schedule().scheduler().residentGrid()) {
            return new Placement(clusterTiles, clusterTiles, firstSms, busyFirstSms);
        }
        int wanted = gridSize == 0 ? firstSms.size() : gridSize / size;
        int clusters = Math.min(wanted, clusterTiles);
        int launched = Math.min(wanted * kernel.ctasOfGridPerSm(), clusterTiles);
        return new Placement(launched, clusters, firstSms, busyFirstSms);
    }

    private static IntStream slots(GpuConstants.Topology topology, int size) {
        return IntStream.range(0, topology.smCount() / size).map(slot -> slot * size);
    }
}
