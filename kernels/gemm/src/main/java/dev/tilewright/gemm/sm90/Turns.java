package dev.tilewright.gemm.sm90;

import dev.tilewright.gemm.kernel.KBlocks;
import dev.tilewright.gemm.kernel.TileLookup;
import dev.tilewright.gemm.kernel.TileWalk;
import dev.tilewright.gemm.mainloop.Warpgroup;
import dev.tilewright.gemm.mainloop.WarpgroupMainloop;
import dev.tilewright.gemm.pipeline.OrderBarrier;
import dev.tilewright.gemm.scheduler.TileReader;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.space.sm90.Sm90Config;
import java.util.Optional;
import java.util.function.Function;

/**
 * The turns of the warpgroups of a CTA. In pingpong each takes every second tile, and leaves out the stages of the
 * others: those of the tile after its own at once where all tiles are as deep, otherwise those of each when it is
 * known. In cooperative all take every tile, and nothing is done here.
 *
 * @param order of the mainloops; absent in cooperative
 * @param common reads the blocks of each tile, where all have as many
 */
record Turns(
        Optional<OrderBarrier> order,
        Optional<Function<CodeBuilder, KBlocks>> common,
        WarpgroupMainloop mainloop,
        TileWalk walk,
        Warpgroup own) {

    /** Named barriers that order the mainloops of two warpgroups; the epilogue has 1 and 2. */
    private static final int ORDER_BARRIER = 5;

    /** Prepares the turns, before the first tile. */
    static Turns of(
            CodeBuilder b,
            Sm90Config config,
            TileLookup lookup,
            WarpgroupMainloop mainloop,
            TileWalk walk,
            Warpgroup own) {
        Optional<OrderBarrier> order = switch (config.multiply().mode()) {
            case COOPERATIVE -> Optional.empty();
            case PINGPONG -> Optional.of(new OrderBarrier(ORDER_BARRIER, b.eq(own.index(), 0)));
        };
        Turns turns = new Turns(order, lookup.commonKBlocks(), mainloop, walk, own);
        order.ifPresent(barrier -> {
            barrier.start(b);
            turns.common.ifPresent(
                    depth -> b.ifThen(b.ne(own.index(), 0), second -> mainloop.skip(second, depth.apply(second))));
        });
        return turns;
    }

    /** Reader of the tiles that the warpgroup takes. */
    TileReader reader() {
        if (order.isEmpty()) {
            return TileReader.warps();
        }
        return common.isPresent()
                ? TileReader.alternatingWarps(own.index())
                : TileReader.alternatingWarps(own.index(), (b, passed) -> mainloop.skip(b, walk.kBlocks(b, passed)));
    }

    /** Before the mainloop of a tile: waits until the other warpgroup has issued its own. */
    void begin(CodeBuilder b) {
        order.ifPresent(barrier -> barrier.begin(b));
    }

    /** When all products of a tile are issued. */
    void end(CodeBuilder b) {
        order.ifPresent(barrier -> barrier.end(b));
    }

    /** When the tile is finished: leaves out the stages of the next one. */
    void pass(CodeBuilder b) {
        order.flatMap(_ -> common).ifPresent(depth -> mainloop.skip(b, depth.apply(b)));
    }
}
