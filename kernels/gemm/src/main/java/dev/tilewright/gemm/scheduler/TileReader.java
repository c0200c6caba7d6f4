package dev.tilewright.gemm.scheduler;

import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * The role that asks for tiles.
 *
 * @param kind one thread, or whole warps
 * @param alternation which tiles it takes where two readers alternate; absent if the reader takes every tile
 * @param toldWhich whether it wants to know which tile is next, not only whether there is one
 */
public record TileReader(Kind kind, Optional<Alternation> alternation, boolean toldWhich) {

    /**
     * Every second tile of the CTA.
     *
     * @param index of the reader among the two, 0 or 1: its first tile
     * @param passed code for each tile of the other one that is passed over, in order, on the way to the own next; the
     *     last may be one behind which there is no own tile any more
     */
    public record Alternation(Reg<B32> index, Optional<BiConsumer<CodeBuilder, Reg<B32>>> passed) {

        /** On the way over a tile of the other one. */
        void pass(CodeBuilder b, Reg<B32> tile) {
            passed.ifPresent(code -> code.accept(b, tile));
        }
    }

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

    /** Whole warps that take every second tile, beginning with tile {@code index} of the CTA. */
    public static TileReader alternatingWarps(Reg<B32> index) {
        return new TileReader(Kind.WARPS, Optional.of(new Alternation(index, Optional.empty())), true);
    }

    /** The same, with code for the tiles of the other one. */
    public static TileReader alternatingWarps(Reg<B32> index, BiConsumer<CodeBuilder, Reg<B32>> passed) {
        return new TileReader(Kind.WARPS, Optional.of(new Alternation(index, Optional.of(passed))), true);
    }

    /** The same, for a role that does the same with every tile. */
    public TileReader toldWhether() {
        return new TileReader(kind, alternation, false);
    }
}
