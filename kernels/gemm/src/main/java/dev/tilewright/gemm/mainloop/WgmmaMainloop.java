package dev.tilewright.gemm.mainloop;

import dev.tilewright.gemm.kernel.KBlocks;
import dev.tilewright.gemm.oracle.SumError;
import dev.tilewright.gemm.pipeline.PipelineState;
import dev.tilewright.gemm.scheduler.ClusterPlace;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.instruction.Wgmma;
import dev.tilewright.ptx.instruction.Wgmma.ScaleD;
import dev.tilewright.ptx.type.Address;
import dev.tilewright.ptx.type.ClusterAddress;
import dev.tilewright.ptx.type.Element;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Ordering;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.B64;
import dev.tilewright.ptx.type.RegisterType.F32;
import dev.tilewright.ptx.type.RegisterType.Pred;
import dev.tilewright.ptx.type.SharedAddress;
import dev.tilewright.space.family.Sm90Config;
import dev.tilewright.space.family.WarpgroupTile;
import dev.tilewright.space.operand.OperandTile;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The multiplying side of the K loop: one warpgroup, 64 rows an instruction, both operands from shared memory. Rows are
 * those of A, and with {@code swapAB} those of B: then it multiplies a part of the transposed output.
 *
 * <p>Of a matrix descriptor only the low word changes: by the next elements of K, by rows for the next instruction
 * below or beside it, by a stage for the next slot; {@link MatrixDescriptor} says by how much. With wait depth 1 the
 * wgmmas of a stage are still running while the next stage is issued, and it is the stage before that is handed back.
 * The arrival at another CTA has the default scope on purpose: with {@code .release.cluster} the assembler puts a fence
 * of the whole GPU into the loop, and nothing was written that would need it.
 */
public final class WgmmaMainloop implements WarpgroupMainloop {

    /** How far its sums may be off: the tensor core adds every product to one sum. */
    public static SumError sumError(DataType input) {
        return input.bytes() == 1 ? SumError.Cut.WHOLE : SumError.Rounded.PLAIN;
    }

    private final OperandStages stages;
    /** Operand of the rows of an instruction: A, or B where they are swapped. */
    private final MatrixDescriptor operandOfRows;

    /** Operand of its columns. */
    private final MatrixDescriptor operandOfColumns;

    private final Wgmma.Inputs inputs;
    private final Sm90Config config;
    private final List<Reg<F32>> accumulators;
    private final MatrixDescriptor.InRing rowsInRing;
    private final MatrixDescriptor.InRing columnsInRing;
    /** Whether no other CTA loads what this one reads. */
    private final boolean alone;

    private final Reg<B32> emptyBase;
    private final Reg<Pred> releases;
    private final PipelineState state;
    /** The slot whose products were issued last. */
    private final Reg<B32> previous;

    /**
     * Prepares what does not change from tile to tile.
     *
     * @param sharing to whom stages are handed back
     */
    public WgmmaMainloop(
            CodeBuilder b,
            Sm90Config config,
            OperandStages stages,
            ClusterSharing sharing,
            ClusterPlace cluster,
            Warpgroup own) {
        this.stages = stages;
        StageLayout layout = stages.layout();
        OperandTile rows = layout.tile(config.rowOperand());
        OperandTile columns = layout.tile(rows.role().other());
        operandOfRows = new MatrixDescriptor(rows);
        operandOfColumns = new MatrixDescriptor(columns);
        inputs = new Wgmma.Inputs(
                element(rows.element()),
                element(columns.element()),
                operandOfRows.transposed(),
                operandOfColumns.transposed());
        this.config = config;
        accumulators = b.f32Array("acc", config.accumulators());
        Reg<B32> firstOfRows = stages.stages().pointer(b, layout.offset(rows.role()));
        Reg<B32> startOfRows = b.mad(own.row(), Immediate.b32(rows.rowStep()), firstOfRows);
        rowsInRing = new MatrixDescriptor.InRing(
                operandOfRows.lowWord(b, startOfRows), operandOfRows.wgmmaHighWord(), layout.bytes());
        Reg<B32> firstOfColumns = stages.stages().pointer(b, layout.offset(columns.role()));
        int stepOfColumns = columns.rowStep();
        Reg<B32> startOfColumns = own.column()
                .map(column -> b.mad(column, Immediate.b32(stepOfColumns), firstOfColumns))
                .orElse(firstOfColumns);
        columnsInRing = new MatrixDescriptor.InRing(
                operandOfColumns.lowWord(b, startOfColumns), operandOfColumns.wgmmaHighWord(), layout.bytes());
        alone = sharing.readers() == 1;
        if (alone) {
            releases = b.lt(own.thread(), 1);
            emptyBase = stages.pipeline().empty().pointer(b, 0);
        } else {
            ClusterSharing.Writer writer = sharing.writer(b, cluster, own.thread());
            releases = writer.exists();
            emptyBase = stages.remoteEmptyBase(b, writer.rank());
        }
        state = stages.pipeline().consumerState(b);
        previous = b.b32("previousSlot");
    }

    private static Element element(DataType type) {
        return switch (type) {
            case BF16 -> Element.BF16;
            case F16 -> Element.F16;
            case E4M3 -> Element.E4M3;
            case E5M2 -> Element.E5M2;
            case F32 -> throw new IllegalArgumentException("wgmma multiplies no f32, got " + type);
        };
    }

    @Override
    public List<Reg<F32>> sums() {
        return accumulators;
    }

    @Override
    public void skip(CodeBuilder b, KBlocks blocks) {
        state.skip(b, blocks.count());
    }

    @Override
    public Products begin(CodeBuilder b, KBlocks blocks) {
        b.comment("mainloop: the products of the k blocks");
        KBlocks.Counter counter = blocks.counter(b);
        b.mov(previous, state.slot());
        return new OfTile(counter, b.pred("adds"));
    }

    /** Code that does not touch the accumulators can stand before {@link #finish}, beside the last products. */
    private final class OfTile implements Products {

        private final KBlocks.Counter counter;
        /** Whether products are added to those of a block before. */
        private final Reg<Pred> adds;

        OfTile(KBlocks.Counter counter, Reg<Pred> adds) {
            this.counter = counter;
            this.adds = adds;
        }

        @Override
        public void await(CodeBuilder b) {
            state.alike(b);
            stages.pipeline().consumerWait(b, Ordering.DEFAULT, state);
        }

        @Override
        public void multiply(CodeBuilder b) {
            b.ne(adds, counter.block(), 0);
            issueStage(b, adds);
        }

        @Override
        public Reg<Pred> release(CodeBuilder b) {
            b.comment("wait until all but " + config.waitDepth() + " of the issued stages are multiplied");
            b.wgmmaWaitGroup(config.waitDepth());
            if (config.waitDepth() == 0) {
                handBack(b, state.slot(), releases);
            } else {
                handBack(b, previous, b.andPred(releases, adds));
                b.mov(previous, state.slot());
            }
            state.advance(b);
            return counter.next(b);
        }

        @Override
        public void finish(CodeBuilder b) {
            if (config.waitDepth() > 0) {
                b.comment("wait until all of the tile is multiplied");
                b.wgmmaWaitGroup(0);
                handBack(b, previous, releases);
            }
        }
    }

    private void issueStage(CodeBuilder b, Reg<Pred> adds) {
        Reg<B64> rows = rowsInRing.of(b, state.slot());
        Reg<B64> columns = columnsInRing.of(b, state.slot());
        WarpgroupTile tile = config.warpgroupTile();
        int perMma = tile.mmaColumns() / 2;
        b.wgmmaFence();
        for (int k = 0; k < operandOfRows.steps(); k++) {
            int along = operandOfColumns.alongK(k);
            List<Reg<B64>> columnSteps = IntStream.range(0, tile.mmaAcross())
                    .mapToObj(across -> MatrixDescriptor.plus(
                            b, columns, along + operandOfColumns.alongRows(across * tile.mmaColumns())))
                    .toList();
            ScaleD accumulate = k == 0 ? new ScaleD.When(adds) : new ScaleD.Fixed(true);
            int first = 0;
            for (int down = 0; down < tile.mmaDown(); down++) {
                Reg<B64> rowStep = MatrixDescriptor.plus(
                        b, rows, operandOfRows.alongK(k) + operandOfRows.alongRows(down * Sm90Config.MMA_ROWS));
                for (Reg<B64> columnStep : columnSteps) {
                    b.wgmma(inputs, accumulators.subList(first, first + perMma), rowStep, columnStep, accumulate);
                    first += perMma;
                }
            }
        }
        b.wgmmaCommitGroup();
    }

    /** One lane for each CTA that loaded a part of the stage. */
    private void handBack(CodeBuilder b, Reg<B32> slot, Reg<Pred> when) {
        Reg<B32> address = b.add(b.shl(slot, 3), emptyBase);
        Address barrier = alone ? SharedAddress.of(address) : ClusterAddress.of(address);
        b.guarded(when, g -> g.mbarrierArrive(barrier));
    }
}
