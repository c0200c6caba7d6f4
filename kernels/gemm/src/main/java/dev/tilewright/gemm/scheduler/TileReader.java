package dev.tilewright.gemm.scheduler;

import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import java.util.Optional;

/**
 * Who asks for tiles.
 *
 * @param kind one thread, or whole warps
 * @param turn index of the warpgroup among those that take tiles in turn, 0 or 1; absent if the reader takes every tile
 * @param toldWhich whether it wants to know which tile is next, not only whether there is one
 */
public record TileReader(Kind kind, Optional<Reg<B32>> turn, boolean toldWhich) {

    /** How a role reads the ring. */
    public enum Kind {
        /** One thread of the scheduler's warp: asks for the next tile, then reads the answer as everybody does. */
        SCHEDULER,
        /** One thread. */
        THREAD,
        /** All threads of whole warps; one lane of each warp hands the slot back. */
        WARPS
    }

    public static TileReader scheduler() {
        return new TileReader(Kind.SCHEDULER, Optional.empty(), true);
    }

    public static TileReader thread() {
        return new TileReader(Kind.THREAD, Optional.empty(), true);
    }

    public static TileReader warps() {
        return new TileReader(Kind.WARPS, Optional.empty(), true);
    }

    /** Whole warps that take every second tile, beginning with tile {@code turn} of the CTA. */
    public static TileReader warpsInTurn(Reg<B32> turn) {
        return new TileReader(Kind.WARPS, Optional.of(turn), true);
    }

    /** The same, for a role that does the same with every tile. */
    public TileReader toldWhether() {
        return new TileReader(kind, turn, false);
    }
}
