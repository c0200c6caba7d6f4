package dev.tilewright.gemm.mainloop;

import dev.tilewright.gemm.scheduler.ClusterPlace;
import dev.tilewright.model.problem.OperandRole;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.SharedRegion;
import dev.tilewright.ptx.instruction.BulkCopy.EvictionPriority;
import dev.tilewright.ptx.type.GenericAddress;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B16;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.B64;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.space.operand.OperandTile;
import dev.tilewright.space.parameter.L2Hint;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The part of one operand that a CTA loads: all rows of its tile, or, where a cluster shares them, its slice of them
 * for all; rows that cannot be cut into slices are loaded by one CTA for each k block, by all in alternation.
 *
 * @param slice the first row in the tile that it loads
 * @param alternation when it loads, if not always
 * @param mask of the CTAs that it loads for, if not for itself alone
 * @param policy how L2 treats what it loads, if not as usual
 */
record LoadedOperand(
        OperandTile tile,
        Operand<B32> slice,
        Optional<Alternation> alternation,
        Optional<Reg<B16>> mask,
        Optional<Reg<B64>> policy) {

    /** Prepares what of a tile this CTA loads. */
    static LoadedOperand of(
            CodeBuilder b, OperandTile tile, ClusterSharing sharing, ClusterPlace cluster, L2Hint hint) {
        Optional<Reg<B64>> policy = policy(b, hint, tile.role());
        if (!tile.isShared()) {
            return new LoadedOperand(tile, Immediate.b32(0), Optional.empty(), Optional.empty(), policy);
        }
        Operand<B32> own = sharing.numberAmongSharers(b, cluster, tile.role());
        Optional<Reg<B16>> mask = Optional.of(sharing.mask(b, cluster, tile.role()));
        return tile.isSliced()
                ? new LoadedOperand(tile, b.mulLo(own, tile.loadedRows()), Optional.empty(), mask, policy)
                : new LoadedOperand(
                        tile, Immediate.b32(0), Optional.of(new Alternation(own, tile.sharers())), mask, policy);
    }

    private static Optional<Reg<B64>> policy(CodeBuilder b, L2Hint hint, OperandRole role) {
        if (hint == L2Hint.NONE) {
            return Optional.empty();
        }
        return Optional.of(
                b.createPolicy(hint.keeps(role) ? EvictionPriority.EVICT_LAST : EvictionPriority.EVICT_FIRST));
    }

    /**
     * Where rows cannot be cut into equal slices, the CTAs that share them alternate: one loads all rows of a block.
     *
     * @param own the number of the CTA among them
     * @param ctas that share the rows, a power of two
     */
    record Alternation(Operand<B32> own, int ctas) {
        private Reg<Pred> isOwn(CodeBuilder b, Reg<B32> block) {
            return b.eq(b.and(block, ctas - 1L), own);
        }
    }

    /**
     * Prepares to load from a tile.
     *
     * @param map of the operand, its box that of {@link OperandTile#boxLines()} lines of one span of the swizzle
     * @param row first row of the CTA's tile in the operand
     * @param stages where the tile goes
     */
    Boxes boxes(CodeBuilder b, GenericAddress map, Reg<B32> row, SharedRegion stages) {
        Reg<B32> firstRow = b.add(row, slice);
        Reg<B32> base = stages.element(b, slice, tile.rowStep()).base();
        return new Boxes(this, map, base, firstRow);
    }

    /**
     * The boxes by which the rows come: of each panel along K one with all rows, or two where they are more than a box
     * has, or one for each panel along the rows.
     *
     * @param base where they go in the first slot
     * @param firstRow of the first box
     */
    record Boxes(LoadedOperand operand, GenericAddress map, Reg<B32> base, Reg<B32> firstRow) {

        /** Takes a box: its offset in the slot, and its coordinates in the operand. */
        interface Load {
            void of(CodeBuilder b, int offset, List<Reg<B32>> place);
        }

        /**
         * The rows of the boxes are reckoned anew each time: kept, they would not fit the registers of a producer that
         * gave most of them away.
         *
         * @param block the number of the k block
         * @param k first element along K of the panel
         */
        void forEach(CodeBuilder b, int panelAlongK, Reg<B32> block, Reg<B32> k, Load load) {
            Consumer<CodeBuilder> all = c -> forEach(c, panelAlongK, k, load);
            operand.alternation().ifPresentOrElse(shared -> b.ifThen(shared.isOwn(b, block), all), () -> all.accept(b));
        }

        private void forEach(CodeBuilder b, int panelAlongK, Reg<B32> k, Load load) {
            OperandTile tile = operand.tile();
            // One that is MN-major has all of K in its first panels, while the other may be cut along K.
            int step = tile.boxRows();
            int boxes = panelAlongK < tile.panelsAlongK() ? tile.loadedRows() / step : 0;
            for (int i = 0; i < boxes; i++) {
                Reg<B32> row = i == 0 ? firstRow : b.add(firstRow, (long) i * step);
                int offset = panelAlongK * tile.panelBytes() + i * step * tile.rowStep();
                load.of(b, offset, tile.kMajor() ? List.of(k, row) : List.of(row, k));
            }
        }
    }
}
