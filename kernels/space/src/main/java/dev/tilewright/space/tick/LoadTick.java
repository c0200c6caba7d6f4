package dev.tilewright.space.tick;

/** How long the ticks are at which blocks of K are asked for. */
public final class LoadTick {

    /** The GPU's timer goes on in steps of this. */
    private static final int MIN_TICK_NS = 32;

    private LoadTick() {}

    /**
     * Nanoseconds between two ticks, a power of two. At a clock of 2 GHz, beyond any that Hopper has, a block takes
     * longer than that, so that the tensor cores wait for no tick.
     *
     * @param blockCycles that the tensor cores take for a block if they never wait
     */
    public static int ns(int blockCycles) {
        return Math.max(MIN_TICK_NS, Integer.highestOneBit(blockCycles / 2));
    }
}
