package dev.tilewright.worker.gpu.cuda;

import dev.tilewright.model.trial.Executed;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The parts of a launch of a library, as the driver sees them. Two launches of the same parts may still differ in
 * parameters.
 *
 * @param parts in order
 */
public record CapturedLaunch(List<Part> parts) {

    /** A part of a launch. */
    public sealed interface Part {}

    /**
     * A kernel.
     *
     * @param cluster without clusters its extents are 0
     */
    public record Kernel(String name, Size grid, Size block, int sharedBytes, Size cluster) implements Part {

        private Executed executed() {
            return new Executed(grid.product(), Math.max(1, cluster.product()), block.product());
        }

        private long threads() {
            return (long) grid.product() * block.product();
        }

        @Override
        public String toString() {
            return name + " grid " + grid + " block " + block + " shared " + sharedBytes + " cluster " + cluster;
        }
    }

    /** Another node of a graph, such as a memset. */
    public record Other(int type) implements Part {
        @Override
        public String toString() {
            return "node of type " + type;
        }
    }

    /** Extents along x, y and z. */
    public record Size(int x, int y, int z) {

        private int product() {
            return Math.multiplyExact(Math.multiplyExact(x, y), z);
        }

        @Override
        public String toString() {
            return x + "x" + y + "x" + z;
        }
    }

    public CapturedLaunch {
        parts = List.copyOf(parts);
    }

    /**
     * How the largest of its kernels is launched: with several, such as one that adds up what another has split, it is
     * the one with the most threads.
     *
     * @throws IllegalStateException if it launches no kernel
     */
    public Executed executed() {
        return parts.stream()
                .filter(Kernel.class::isInstance)
                .map(Kernel.class::cast)
                .reduce((largest, other) -> other.threads() > largest.threads() ? other : largest)
                .orElseThrow(() -> new IllegalStateException("a launch without a kernel: " + this))
                .executed();
    }

    /** Its parts with grid, block, shared bytes and cluster. */
    @Override
    public String toString() {
        return parts.stream().map(Part::toString).collect(Collectors.joining(" + "));
    }
}
