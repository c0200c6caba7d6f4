package dev.tilewright.worker.gpu.cuda;

/**
 * Extents of a launch, and when it may start.
 *
 * @param x CTAs along x, and so on
 * @param threads threads of a CTA, along x
 * @param sharedBytes dynamic shared memory of a CTA
 * @param overlaps whether it may start before the launch ahead of it in its stream has ended; for kernels that wait for
 *     that themselves
 */
public record LaunchGrid(int x, int y, int z, int threads, int sharedBytes, boolean overlaps) {

    public LaunchGrid {
        if (x < 1 || y < 1 || z < 1 || y > 65_535 || z > 65_535) {
            throw new IllegalArgumentException(
                    "a grid is 1..2147483647 x 1..65535 x 1..65535, got " + x + " x " + y + " x " + z);
        }
        if (threads < 1 || threads > 1024) {
            throw new IllegalArgumentException("a CTA has 1..1024 threads, got " + threads);
        }
    }

    /** A grid along x alone. */
    public static LaunchGrid linear(int ctas, int threads, int sharedBytes) {
        return new LaunchGrid(ctas, 1, 1, threads, sharedBytes, false);
    }

    /** The same, as a launch that overlaps if that is so. */
    public LaunchGrid overlapping(boolean allowed) {
        return new LaunchGrid(x, y, z, threads, sharedBytes, allowed);
    }
}
