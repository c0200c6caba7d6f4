package dev.tilewright.gemm.mainloop;

import dev.tilewright.gemm.kernel.KBlocks;
import dev.tilewright.gemm.kernel.TilePlace;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.EntryBuilder;
import dev.tilewright.ptx.SharedRegion;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.SharedAddress;
import dev.tilewright.space.sm90.ScalePlan;
import dev.tilewright.space.sm90.Sm90Config;
import java.util.List;

/**
 * The scales of A that a stage has beside its operands: one of each row of the tile, for the block of K of the stage.
 * Every CTA loads those of all of its rows, whoever loads the rows.
 *
 * @param arguments where a launch has them
 * @param ring the scales of all stages, one stage behind the other, f32
 * @param slotBytes of a stage
 */
public record StageScales(BlockScales arguments, SharedRegion ring, int slotBytes) {

    /** Declares them, behind the panels of the epilogue. */
    public static StageScales declare(EntryBuilder entry, Sm90Config config, BlockScales arguments) {
        int slotBytes = config.scales().stageBytes();
        return new StageScales(
                arguments,
                entry.shared("scales", config.load().stages() * slotBytes, ScalePlan.BOX_ALIGNMENT),
                slotBytes);
    }

    /** One thread, before anything else: fetches the map by which they come. */
    public void prefetchMap(CodeBuilder b) {
        b.prefetchTensorMap(b.tensorMap(arguments.a()));
    }

    /** Bytes that come for each stage. */
    int bytes() {
        return arguments.rows() * Float.BYTES;
    }

    /** The scale of the first row in a slot. */
    SharedAddress inSlot(CodeBuilder b, Reg<B32> slot) {
        return ring.element(b, slot, slotBytes);
    }

    /** Begins the blocks of a tile, or of a piece of one: ONE thread. */
    Boxes boxes(CodeBuilder b, TilePlace tile, KBlocks blocks) {
        Reg<B32> block = b.b32("scaleBlock");
        b.mov(block, blocks.first().orElseGet(() -> b.mov(Immediate.b32(0))));
        return new Boxes(this, b.mulLo(tile.m(), arguments.rows()), block);
    }

    /**
     * The boxes by which they come, one a block of K.
     *
     * @param row first row of the tile
     * @param block the next block of K
     */
    record Boxes(StageScales scales, Reg<B32> row, Reg<B32> block) {

        /**
         * Loads those of the next block.
         *
         * @param full barrier of the stage, which the data complete
         */
        void load(CodeBuilder b, Reg<B32> slot, SharedAddress full) {
            b.tmaLoad(scales.inSlot(b, slot), b.tensorMap(scales.arguments().a()), List.of(row, block), full);
            b.add(block, block, 1);
        }
    }
}
