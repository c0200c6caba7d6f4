package dev.tilewright.emulator.order;

/** A thread that executes an instruction. */
public interface Actor {
    /** What its warp knows. */
    WarpOrder order();

    int lane();

    /** What its instruction does to memory; the same object for all lanes and, within an epoch, for all times. */
    Access access();
}
