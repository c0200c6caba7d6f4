package dev.tilewright.worker.gpu.cuda;

import dev.tilewright.launch.Extents;

/**
 * Extents of a launch, and when it may start.
 *
 * @param grid CTAs
 * @param block threads of a CTA
 * @param cluster CTAs of a cluster, which the launch asks for; one CTA leaves it to the entry
 * @param sharedBytes dynamic shared memory of a CTA
 * @param overlaps whether it may start before the launch ahead of it in its stream has ended; for kernels that wait for
 *     that themselves
 */
public record LaunchGrid(Extents grid, Extents block, Extents cluster, int sharedBytes, boolean overlaps) {

    private static final Extents ONE = Extents.of(1);

    public LaunchGrid {
        if (grid.y() > 65_535 || grid.z() > 65_535) {
            throw new IllegalArgumentException("a grid is 1..2147483647 x 1..65535 x 1..65535, got " + shown(grid));
        }
        if (block.count() > 1024 || block.z() > 64) {
            throw new IllegalArgumentException("a CTA has 1..1024 threads, at most 64 along z, got " + shown(block));
        }
    }

    private static String shown(Extents extents) {
        return extents.x() + " x " + extents.y() + " x " + extents.z();
    }

    /** A grid and CTAs along x alone. */
    public static LaunchGrid linear(int ctas, int threads, int sharedBytes) {
        return new LaunchGrid(Extents.of(ctas), Extents.of(threads), ONE, sharedBytes, false);
    }
}
