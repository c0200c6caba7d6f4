package dev.tilewright.emulator.order;

import java.util.function.Supplier;

/** A thread that executes an instruction. */
public interface Actor {
    /** The accesses that its warp is ordered behind. */
    WarpOrder order();

    int lane();

    /**
     * It finds a byte that nobody wrote.
     *
     * @param location of the byte, for messages
     * @return whether it keeps that in mind and goes on: a load into registers, of which nothing may come
     */
    boolean takesUnwritten(Supplier<String> location);

    /** The memory access of its instruction; one object for all lanes and for all executions within an epoch. */
    Access access();
}
