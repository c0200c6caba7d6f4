package dev.tilewright.gemm.scheduler;

import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.space.parameter.Throttle;
import java.util.function.BiConsumer;

/**
 * Hands out linear cluster tiles. Every role of every CTA of a cluster sees the same tiles in the same order; which
 * tiles a cluster gets is the scheduler's alone to say. The order of use is {@code initialize}, then as long as there
 * is work: {@code tryCancel} (by the scheduler's own role, asking for a tile ahead), the body, {@code advance}.
 */
public interface TileScheduler {

    /**
     * Initialises barriers in shared memory; one thread of each CTA, before the CTAs of the cluster meet. No code
     * unless tiles are handed over in it.
     */
    default void initializeShared(CodeBuilder b) {}

    /** The role's first tile. */
    TileCursor initialize(CodeBuilder b, TileReader reader);

    /** Whether some warp must run as the scheduler's own role. */
    default boolean needsRole() {
        return false;
    }

    /** Asks for the tile after the current one; no code unless the tile depends on who asks first. */
    default void tryCancel(CodeBuilder b, TileCursor cursor) {}

    /**
     * A role of this CTA says how far it is with its tile; no code unless the scheduler waits for it.
     *
     * @param point never {@link Throttle#NONE}
     */
    default void reached(CodeBuilder b, Throttle point) {}

    /** Goes to the role's next tile, or clears {@code hasWork}. */
    void advance(CodeBuilder b, TileCursor cursor);

    /**
     * The scheduler's own role, when it has no tile left: waits until nobody of another CTA has anything more to hand
     * back to this one, so that it may end. No code unless tiles are handed over in a cluster.
     */
    default void drain(CodeBuilder b, TileCursor cursor) {}

    /** Runs the body for each tile of the role, and returns the cursor behind the last. */
    default TileCursor forEachTile(CodeBuilder b, TileReader reader, BiConsumer<CodeBuilder, Reg<B32>> body) {
        b.comment("scheduler: the first tile");
        TileCursor cursor = initialize(b, reader);
        b.whileLoop("tile", w -> cursor.hasWork(), (w, loop) -> {
            if (reader.kind() == TileReader.Kind.SCHEDULER) {
                w.comment("scheduler: ask for a tile ahead");
                tryCancel(w, cursor);
            }
            body.accept(w, cursor.tile());
            w.comment("scheduler: the next tile");
            advance(w, cursor);
        });
        return cursor;
    }
}
