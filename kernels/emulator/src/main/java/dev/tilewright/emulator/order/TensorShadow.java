package dev.tilewright.emulator.order;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The last accesses to tensor memory. A granule of one column and 16 lanes has one record. */
public final class TensorShadow {
    /** Names a granule in messages. */
    @FunctionalInterface
    public interface Names {
        String of(int granule);
    }

    private final Names names;
    private final @Nullable TensorAccess[] writes;
    private final @Nullable List<TensorAccess>[] reads;

    /** The shadow of granules that nobody has accessed. */
    @SuppressWarnings({"unchecked", "rawtypes"})
    public TensorShadow(int granules, Names names) {
        this.names = names;
        writes = new @Nullable TensorAccess[granules];
        reads = new @Nullable List[granules];
    }

    /** The actor issues an instruction that reads a granule; {@code lanes} of its warp take part. */
    public void read(Actor actor, int lanes, TensorAccess access, int granule) {
        TensorAccess written = writes[granule];
        if (written != null && written != access) {
            actor.order().tensor().require(actor, lanes, access, written, () -> names.of(granule));
        }
        List<TensorAccess> known = reads[granule];
        if (known == null) {
            known = new ArrayList<>(1);
            reads[granule] = known;
        }
        // The latest read of an agent replaces its earlier reads.
        known.removeIf(earlier -> earlier.access().agent == access.access().agent);
        known.add(access);
    }

    /** The actor issues an instruction that writes a granule, whether it has read it or not. */
    public void write(Actor actor, int lanes, TensorAccess access, int granule) {
        TensorOrder order = actor.order().tensor();
        TensorAccess written = writes[granule];
        if (written != null && written != access && !access.followsOwn(written)) {
            order.require(actor, lanes, access, written, () -> names.of(granule));
        }
        List<TensorAccess> known = reads[granule];
        if (known != null) {
            for (TensorAccess earlier : known) {
                if (earlier != access) {
                    order.require(actor, lanes, access, earlier, () -> names.of(granule));
                }
            }
            reads[granule] = null;
        }
        writes[granule] = access;
    }

    /** The actor frees a granule: requires that all accesses to it are complete. */
    public void requireOver(Actor actor, int granule) {
        TensorOrder order = actor.order().tensor();
        TensorAccess written = writes[granule];
        if (written != null) {
            order.requireOver(actor, written, () -> names.of(granule));
        }
        List<TensorAccess> known = reads[granule];
        if (known != null) {
            known.forEach(earlier -> order.requireOver(actor, earlier, () -> names.of(granule)));
        }
    }

    /** Forgets all accesses to a granule. */
    public void clear(int granule) {
        writes[granule] = null;
        reads[granule] = null;
    }
}
