package dev.tilewright.emulator.order;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Who accessed tensor memory last, by places of one column and 16 lanes. */
public final class TensorShadow {
    /** Names a place for people. */
    @FunctionalInterface
    public interface Names {
        String place(int place);
    }

    private final Names names;
    private final @Nullable TensorAccess[] writes;
    private final @Nullable List<TensorAccess>[] reads;

    /** Places that nobody accessed. */
    @SuppressWarnings({"unchecked", "rawtypes"})
    public TensorShadow(int places, Names names) {
        this.names = names;
        writes = new @Nullable TensorAccess[places];
        reads = new @Nullable List[places];
    }

    /** Whoever acts issues something that reads a place; {@code lanes} of its warp take part. */
    public void read(Actor actor, int lanes, TensorAccess access, int place) {
        TensorAccess written = writes[place];
        if (written != null && written != access) {
            actor.order().tensor().require(actor, lanes, access, written, () -> names.place(place));
        }
        List<TensorAccess> known = reads[place];
        if (known == null) {
            known = new ArrayList<>(1);
            reads[place] = known;
        }
        // What one agent did before, its latest access stands for.
        known.removeIf(earlier -> earlier.access().agent == access.access().agent);
        known.add(access);
    }

    /** Whoever acts issues something that writes a place, having read it or not. */
    public void write(Actor actor, int lanes, TensorAccess access, int place) {
        TensorOrder order = actor.order().tensor();
        TensorAccess written = writes[place];
        if (written != null && written != access && !access.followsOwn(written)) {
            order.require(actor, lanes, access, written, () -> names.place(place));
        }
        List<TensorAccess> known = reads[place];
        if (known != null) {
            for (TensorAccess earlier : known) {
                if (earlier != access) {
                    order.require(actor, lanes, access, earlier, () -> names.place(place));
                }
            }
            reads[place] = null;
        }
        writes[place] = access;
    }

    /** Whoever acts gives a place back: all accesses must be over. */
    public void requireOver(Actor actor, int place) {
        TensorOrder order = actor.order().tensor();
        TensorAccess written = writes[place];
        if (written != null) {
            order.requireOver(actor, written, () -> names.place(place));
        }
        List<TensorAccess> known = reads[place];
        if (known != null) {
            known.forEach(earlier -> order.requireOver(actor, earlier, () -> names.place(place)));
        }
    }

    /** Forgets a place. */
    public void clear(int place) {
        writes[place] = null;
        reads[place] = null;
    }
}
