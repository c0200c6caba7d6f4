package dev.tilewright.emulator.run;

import java.util.List;

/**
 * One launch of one kernel.
 *
 * @param grid CTAs, a multiple of the cluster in each dimension
 * @param block threads of a CTA
 * @param cluster CTAs of a cluster; where the entry fixes its cluster it must be the same
 * @param dynamicShared bytes of dynamic shared memory
 * @param overlaps whether it may start before the grid ahead of it in its stream has ended (the attribute of
 *     programmatic stream serialization)
 */
public record Launch(
        String entry,
        Dim3 grid,
        Dim3 block,
        Dim3 cluster,
        int dynamicShared,
        List<Argument> arguments,
        List<Buffer> buffers,
        boolean overlaps) {
    public Launch {
        arguments = List.copyOf(arguments);
        buffers = List.copyOf(buffers);
        if (block.count() > 1024) {
            throw new IllegalArgumentException("a CTA has at most 1024 threads, got " + block.count());
        }
        if (cluster.count() > 16) {
            throw new IllegalArgumentException("a cluster has at most 16 CTAs, got " + cluster.count());
        }
        if (grid.x() % cluster.x() != 0 || grid.y() % cluster.y() != 0 || grid.z() % cluster.z() != 0) {
            throw new IllegalArgumentException("the grid " + grid + " is no multiple of the cluster " + cluster);
        }
        if (dynamicShared < 0) {
            throw new IllegalArgumentException("dynamic shared memory must not be negative, got " + dynamicShared);
        }
    }

    /** A launch that starts when the grid ahead of it has ended. */
    public Launch(
            String entry,
            Dim3 grid,
            Dim3 block,
            Dim3 cluster,
            int dynamicShared,
            List<Argument> arguments,
            List<Buffer> buffers) {
        this(entry, grid, block, cluster, dynamicShared, arguments, buffers, false);
    }

    /** The same, started while the grid ahead of it is at work. */
    public Launch overlapping() {
        return new Launch(entry, grid, block, cluster, dynamicShared, arguments, buffers, true);
    }
}
