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
 */
public record KernelLaunch(
        String entry,
        int gridX,
        int threads,
        int clusterSize,
        int dynamicSharedBytes,
        List<Argument> arguments,
        List<BufferDemand> buffers) {

    public KernelLaunch {
        arguments = List.copyOf(arguments);
        buffers = List.copyOf(buffers);
        if (gridX < 1 || gridX % clusterSize != 0) {
            throw new IllegalArgumentException(
                    "a grid is a positive multiple of the cluster size " + clusterSize + ", got " + gridX);
        }
    }
}
