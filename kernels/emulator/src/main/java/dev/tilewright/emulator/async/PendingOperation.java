package dev.tilewright.emulator.async;

import dev.tilewright.emulator.machine.Origin;

/** Something under way. */
public sealed interface PendingOperation
        permits CopyToShared, BulkStore, StoreToShared, SharedToShared, ThreadCopy, ThreadArrival {
    /** Does the next part of the work; true when all of it is done. */
    boolean advance();

    /** Who issued it. */
    Origin origin();
}
