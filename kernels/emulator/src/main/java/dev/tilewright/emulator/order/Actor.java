package dev.tilewright.emulator.order;

import java.util.function.Supplier;

/** A thread that executes an instruction. */
public interface Actor {
    /** What its warp knows. */
    WarpOrder order();

    int lane();

    /**
     * It finds a byte that nobody wrote.
     *
     * @param place of the byte, for people
     * @return whether it keeps that in mind and goes on: a load into registers, of which nothing may come
     */
    boolean takesUnwritten(Supplier<String> place);

    /** What its instruction does to memory; the same object for all lanes and, within an epoch, for all times. */
    Access access();
}
