package dev.tilewright.emulator.warp;

import dev.tilewright.emulator.memory.AddressSpace;

/**
 * The position of a CTA in its cluster and in the grid, and the SM on which it runs.
 *
 * @param cluster that the CTA belongs to
 * @param rank in that cluster
 * @param id linear id in the grid
 */
public record CtaCoordinates(ClusterCoordinates cluster, int rank, int id, int x, int y, int z, int sm) {
    /** The window address of a byte of its shared memory. */
    public int window(int offset) {
        return rank << AddressSpace.RANK_SHIFT | offset;
    }
}
