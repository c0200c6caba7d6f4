package dev.tilewright.emulator.order;

import java.util.function.Supplier;

/** Asynchronous work that reads shared memory. */
public interface BulkRead {
    /** Its reading. */
    Access reading();

    /** The writes that it reads. Every other thread that takes part must come behind them too. */
    Needs needs();

    /**
     * It finds a byte of shared memory that nobody wrote.
     *
     * @param location of the byte, for messages
     * @return whether it keeps that in mind and goes on, because what comes of it may never be used
     */
    default boolean takesUnwritten(int at, Supplier<String> location) {
        return false;
    }

    /**
     * Whether it reads what cp.asyncs wrote without a fence.proxy.async between them.
     *
     * <p>PTX counts cp.async (not bulk) among the accesses of the generic proxy, and asks for a fence before any
     * asynchronous access to what it brought. NVIDIA's own multistage mainloops for wgmma wait for their cp.asyncs,
     * meet at a barrier and multiply, with no such fence, so that the hardware must keep that order. It holds for wgmma
     * alone: of bulk stores and of tcgen05 no such use is known.
     */
    default boolean readsThreadCopies() {
        return false;
    }
}
