package dev.tilewright.emulator.async;

import dev.tilewright.emulator.schedule.Interleaving;
import dev.tilewright.emulator.warp.Origin;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The pending operations of the whole grid; the seed chooses the order in which they advance. */
public final class AsyncQueue {
    private final Interleaving order;
    private final List<PendingOperation> pending = new ArrayList<>();
    private @Nullable Origin acting;
    private long landed;

    public AsyncQueue(Interleaving order) {
        this.order = order;
    }

    public void add(PendingOperation operation) {
        pending.add(operation);
    }

    /** Lets one operation go on; false if there is none. */
    public boolean advanceOne() {
        if (pending.isEmpty()) {
            return false;
        }
        int index = order.operation(pending.size());
        PendingOperation operation = pending.get(index);
        acting = operation.origin();
        if (operation.advance()) {
            PendingOperation last = pending.removeLast();
            if (index < pending.size()) {
                pending.set(index, last);
            }
            landed += operation.isCopy() ? 1 : 0;
        }
        acting = null;
        return true;
    }

    /** The issuer of the operation that is advancing; a hazard is reported at its site. */
    public @Nullable Origin acting() {
        return acting;
    }

    /** Copies that have landed. */
    public long landed() {
        return landed;
    }
}
