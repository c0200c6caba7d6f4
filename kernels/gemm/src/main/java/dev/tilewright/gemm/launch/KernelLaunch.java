package dev.tilewright.gemm.launch;

import java.util.List;

/**
 * One launch of one kernel for one problem on one device.
 *
 * @param entry name of the entry in the module
 * @param gridX number of CTAs, a multiple of the cluster size
 * @param threads threads in a CTA
 * @param clusterSize CTAs in a cluster, as the entry requires it
 * @param dynamicSharedBytes dynamic shared memory of a CTA
 * @param buffers what it needs beside A, B and D
 * @param filled what it reads beside A and B
 * @param overlaps whether it may start before the launch ahead of it in its stream has ended: its kernel then waits for
 *     that itself, and the launch says so by an attribute
 */
public record KernelLaunch(
        String entry,
        int gridX,
        int threads,
        int clusterSize,
        int dynamicSharedBytes,
        List<Argument> arguments,
        List<BufferDemand> buffers,
        List<FilledBuffer> filled,
        boolean overlaps) {

    public KernelLaunch {
        arguments = List.copyOf(arguments);
        buffers = List.copyOf(buffers);
        filled = List.copyOf(filled);
        if (gridX < 1 || gridX % clusterSize != 0) {
            throw new IllegalArgumentException(
                    "a grid is a positive multiple of the cluster size " + clusterSize + ", got " + gridX);
        }
    }

    /** A launch that starts when the one ahead of it has ended. */
    public KernelLaunch(
            String entry,
            int gridX,
            int threads,
            int clusterSize,
            int dynamicSharedBytes,
            List<Argument> arguments,
            List<BufferDemand> buffers,
            List<FilledBuffer> filled) {
        this(entry, gridX, threads, clusterSize, dynamicSharedBytes, arguments, buffers, filled, false);
    }

    /** A launch that reads nothing beside A and B. */
    public KernelLaunch(
            String entry,
            int gridX,
            int threads,
            int clusterSize,
            int dynamicSharedBytes,
            List<Argument> arguments,
            List<BufferDemand> buffers) {
        this(entry, gridX, threads, clusterSize, dynamicSharedBytes, arguments, buffers, List.of());
    }

    /** Clusters of the grid. */
    public int clusters() {
        return gridX / clusterSize;
    }

    /**
     * The same launch of a kernel for 8-bit inputs with the product of their per-tensor scales: D = scale * A * B.
     *
     * @throws IllegalArgumentException if the kernel takes no scale
     */
    public KernelLaunch withScale(float scale) {
        if (!takesScale()) {
            throw new IllegalArgumentException(
                    "the kernel " + entry + " takes no scale: only those of e4m3 and e5m2 do");
        }
        List<Argument> scaled = arguments.stream()
                .map(argument -> isScale(argument) ? new Argument.F32(FloatRole.SCALE, scale) : argument)
                .toList();
        return new KernelLaunch(
                entry, gridX, threads, clusterSize, dynamicSharedBytes, scaled, buffers, filled, overlaps);
    }

    /** Whether the kernel multiplies with a scale. */
    public boolean takesScale() {
        return arguments.stream().anyMatch(KernelLaunch::isScale);
    }

    private static boolean isScale(Argument argument) {
        return argument instanceof Argument.F32(var role, var _) && role == FloatRole.SCALE;
    }
}
