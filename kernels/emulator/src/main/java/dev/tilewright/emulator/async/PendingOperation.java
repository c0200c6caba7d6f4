package dev.tilewright.emulator.async;

import dev.tilewright.emulator.warp.Origin;

/** Something under way. */
public interface PendingOperation {
    /** Does the next part of the work; true when all of it is done. */
    boolean advance();

    /** The warp and lane that issued it. */
    Origin origin();

    /** Whether it counts as a copy that landed. */
    default boolean isCopy() {
        return true;
    }
}
