package dev.tilewright.emulator.warp;

import dev.tilewright.emulator.memory.AddressSpace;

/**
 * Where a CTA runs.
 *
 * @param cluster in which it is
 * @param rank in that cluster
 * @param id linear id in the grid
 */
public record CtaPlace(ClusterPlace cluster, int rank, int id, int x, int y, int z, int sm) {
    /** The window address of a byte of its shared memory. */
    public int window(int offset) {
        return rank << AddressSpace.RANK_SHIFT | offset;
    }
}
