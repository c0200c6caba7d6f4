package dev.tilewright.gemm.mainloop;

import dev.tilewright.gemm.kernel.KBlocks;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.type.GlobalAddress;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.B64;
import dev.tilewright.ptx.type.RegisterType.F32;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.SpecialRegister;
import java.util.ArrayList;
import java.util.List;

/**
 * The scales of B of some blocks of N. Those of 32 blocks of K lie beside each other: each lane of a warp has one of
 * them, and one of the 32 blocks behind, so that a block's scale comes from a lane and not from memory. There is no
 * branch, which would part the products of the tensor core.
 */
final class LineScales {

    private static final int LANES = 32;

    private final BlockScales arguments;
    private final Reg<B64> start;
    private final Reg<B32> lane;
    private final List<Reg<B32>> current;
    private final List<Reg<B32>> later;

    /**
     * Prepares what does not change from tile to tile.
     *
     * @param lines blocks of N
     */
    LineScales(CodeBuilder b, BlockScales arguments, int lines) {
        this.arguments = arguments;
        start = b.globalPointer(arguments.b());
        lane = b.and(b.special(SpecialRegister.TID_X), LANES - 1L);
        current = new ArrayList<>();
        later = new ArrayList<>();
        for (int i = 0; i < lines; i++) {
            current.add(b.b32("scalesB" + i));
            later.add(b.b32("laterScalesB" + i));
        }
    }

    /** Blocks of N. */
    int count() {
        return current.size();
    }

    /**
     * Begins the blocks of K of a tile, or of a piece of one.
     *
     * @param lines numbers of the blocks of N; one beyond B gets the scales of the last, for it has none
     */
    OfTile begin(CodeBuilder b, List<Reg<B32>> lines, KBlocks blocks) {
        return new OfTile(b, lines, blocks);
    }

    /** The scales of one tile. */
    final class OfTile {

        private final Reg<B32> blocks;
        /** Address of the scale that this lane asks for next, of each line. */
        private final List<Reg<B64>> at = new ArrayList<>();

        private OfTile(CodeBuilder b, List<Reg<B32>> lines, KBlocks blocks) {
            this.blocks = blocks.count();
            Reg<B32> last = b.sub(b.param32(arguments.blocksN()), 1);
            Reg<B32> first = blocks.first().map(block -> b.add(block, lane)).orElse(lane);
            for (Reg<B32> line : lines) {
                Reg<B32> index = b.mad(b.min(line, last), b.param32(arguments.pitchB()), first);
                Reg<B64> address = b.b64();
                b.mov(address, b.madWide(index, Float.BYTES, start));
                at.add(address);
            }
            for (int i = 0; i < lines.size(); i++) {
                b.mov(current.get(i), Immediate.b32(0));
                b.mov(later.get(i), Immediate.b32(0));
            }
            ask(b, current, b.lt(lane, this.blocks), 0);
            ask(b, later, b.lt(b.add(lane, LANES), this.blocks), LANES);
        }

        private void ask(CodeBuilder b, List<Reg<B32>> scales, Reg<Pred> exist, int behind) {
            for (int i = 0; i < scales.size(); i++) {
                List<Reg<B32>> read = List.of(scales.get(i));
                GlobalAddress address = GlobalAddress.of(at.get(i)).plus(behind * Float.BYTES);
                b.guarded(exist, g -> g.ldVector(ScalarType.B32, read, address));
            }
        }

        /**
         * The scales of a block of K, one of each line; behind the last of 32 blocks those of the next are taken up,
         * and more are asked for.
         *
         * @param block its number in the tile
         */
        List<Reg<F32>> take(CodeBuilder b, Reg<B32> block) {
            Reg<B32> inLanes = b.and(block, LANES - 1L);
            List<Reg<F32>> scales = current.stream()
                    .map(line -> b.floatOf(b.shflIdx(line, inLanes)))
                    .toList();
            Reg<Pred> last = b.eq(inLanes, LANES - 1L);
            Reg<B32> next = b.add(b.add(block, lane), LANES + 1L);
            Reg<Pred> exist = b.andPred(last, b.lt(next, blocks));
            for (int i = 0; i < count(); i++) {
                Reg<B32> line = current.get(i);
                Reg<B32> taken = later.get(i);
                Reg<B64> address = at.get(i);
                b.guarded(last, g -> g.mov(line, taken));
                b.guarded(last, g -> g.add(address, address, (long) LANES * Float.BYTES));
            }
            ask(b, later, exist, LANES);
            return scales;
        }
    }
}
