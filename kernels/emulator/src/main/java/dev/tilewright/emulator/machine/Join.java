package dev.tilewright.emulator.machine;

import org.jspecify.annotations.Nullable;

/** The instruction at which diverged lanes of a warp meet again. */
final class Join {
    final int pc;
    final @Nullable Join parent;
    /** Lanes that are still to come or have come. */
    int expected;
    /** Lanes that have come. */
    int arrived;

    Join(int pc, int expected, @Nullable Join parent) {
        this.pc = pc;
        this.expected = expected;
        this.parent = parent;
    }
}
