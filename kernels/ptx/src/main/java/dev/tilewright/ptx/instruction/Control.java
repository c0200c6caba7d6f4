package dev.tilewright.ptx.instruction;

import dev.tilewright.ptx.type.Label;

/** Flow of control. Executed by each thread; predicate them with {@link Statement.Guarded}. PTX 9.7.12, 9.7.19.4. */
public sealed interface Control extends Flow {

    /** Goes to the label; {@code uniform} promises that all active threads of the warp go the same way. */
    record Branch(boolean uniform, Label label) implements Control {}

    /** Ends the function; at kernel level the same as exit. */
    record Return() implements Control {}

    /** Ends the thread. Barriers of CTA and cluster no longer wait for it, mbarrier counts do. */
    record Exit() implements Control {}

    /** Aborts the grid with an error the host sees. */
    record Trap() implements Control {}
}
