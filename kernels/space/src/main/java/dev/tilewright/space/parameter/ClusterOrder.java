package dev.tilewright.space.parameter;

import dev.tilewright.space.device.ClusterDeal;

/**
 * By which number a cluster takes its tiles. A GPU deals the clusters of a launch out to its GPCs one by one. So
 * clusters with neighbouring ids, whose tiles share operands, lie in different GPCs. But only SMs of one GPC share an
 * answer of L2 for the same bytes, and bytes that are read on both sides of L2 cross between the sides.
 */
public enum ClusterOrder {
    /** By its id: as launched. */
    LAUNCH("launch"),
    /** By its number in GPC order, as the GPU deals clusters out ({@link ClusterDeal}). */
    GPC("gpc");

    private final String value;

    ClusterOrder(String value) {
        this.value = value;
    }

    @Override
    public String toString() {
        return value;
    }
}
