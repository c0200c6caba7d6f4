package dev.tilewright.gemm.oracle;

import java.util.List;

/**
 * One launch of an oracle kernel: one-dimensional, in clusters only where the entry requires it.
 *
 * @param entry name of the entry in the module
 * @param gridX number of CTAs
 * @param threads threads of a CTA
 * @param sharedBytes dynamic shared memory of a CTA
 * @param arguments in the order of the entry's parameters: a Long or Double is 8 bytes, an Integer or Float 4
 */
public record OracleLaunch(String entry, int gridX, int threads, int sharedBytes, List<Number> arguments) {
    public OracleLaunch {
        arguments = List.copyOf(arguments);
        if (gridX < 1) {
            throw new IllegalArgumentException("a grid has at least one CTA, got " + gridX);
        }
    }

    /** A launch without dynamic shared memory. */
    public OracleLaunch(String entry, int gridX, int threads, List<Number> arguments) {
        this(entry, gridX, threads, 0, arguments);
    }

    /** Enough CTAs for {@code items} one-thread items, but not more than keep every SM busy; the kernels stride. */
    static int strideGrid(long items, int threads, int sms) {
        return (int) Math.clamp(Math.ceilDiv(items, threads), 1, sms * 8L);
    }
}
