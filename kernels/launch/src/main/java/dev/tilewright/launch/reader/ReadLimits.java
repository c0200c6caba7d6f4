package dev.tilewright.launch.reader;

/**
 * How large a launch may be.
 *
 * @param bytes of all buffers together
 * @param ctas of the grid, and of each of its extents
 */
public record ReadLimits(long bytes, int ctas) {

    /** Buffers and their copies must fit into a worker's memory, and more CTAs would take an emulator days. */
    public static final ReadLimits EMULATED = new ReadLimits(256L << 20, 1 << 20);

    /** Nobody allocates the buffers here, and they may be larger than any GPU has; a grid has at most 2^31 - 1 CTAs. */
    public static final ReadLimits DESCRIBED = new ReadLimits(1L << 40, Integer.MAX_VALUE);
}
