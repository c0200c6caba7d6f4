package dev.tilewright.gemm.mainloop;

import dev.tilewright.gemm.pipeline.PipelineState;
import dev.tilewright.gemm.scheduler.ClusterPlace;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.OperandRole;
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
 * below or beside it, by a stage for the next slot; {@link WgmmaOperand} says by how much. With wait depth 1 the wgmmas
 * of a stage are still running while the next stage is issued, and it is the stage before that is handed back. The
 * arrival at another CTA has the default scope on purpose: with {@code .release.cluster} the assembler puts a fence of
 * the whole GPU into the loop, and nothing was written that would need it.
 */
public final class WgmmaMainloop {

    private static final int DESCRIPTOR_UNIT = 16;

    private final OperandStages stages;
    /** What the instructions have as their rows: A, or B where they are swapped. */
    private final WgmmaOperand operandOfRows;

    /** What they have as their columns. */
    private final WgmmaOperand operandOfColumns;

    private final Wgmma.Inputs inputs;
    private final Sm90Config config;
    private final List<Reg<F32>> accumulators;
    private final Reg<B32> rowsStart;
    private final Reg<B32> columnsStart;
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
     * @param threadInWarpgroup 0..127
     * @param place of the warpgroup in the CTA's tile
     */
    public WgmmaMainloop(
            CodeBuilder b,
            Sm90Config config,
            OperandStages stages,
            ClusterSharing sharing,
            ClusterPlace cluster,
            Reg<B32> threadInWarpgroup,
            WarpgroupPlace place) {
        this.stages = stages;
        StageLayout layout = stages.layout();
        OperandTile rows = layout.tile(config.swapAB() ? OperandRole.B : OperandRole.A);
        OperandTile columns = layout.tile(rows.role().other());
        operandOfRows = new WgmmaOperand(rows);
        operandOfColumns = new WgmmaOperand(columns);
        inputs = new Wgmma.Inputs(
                element(rows.element()),
                element(columns.element()),
                operandOfRows.transposed(),
                operandOfColumns.transposed());
        this.config = config;
        accumulators = b.f32Array("acc", config.accumulators());
        Reg<B32> firstOfRows = stages.stages().pointer(b, layout.offset(rows.role()));
        Reg<B32> startOfRows = b.mad(place.row(), Immediate.b32(rows.rowStep()), firstOfRows);
        rowsStart = operandOfRows.lowWord(b, startOfRows);
        Reg<B32> firstOfColumns = stages.stages().pointer(b, layout.offset(columns.role()));
        int stepOfColumns = columns.rowStep();
        Reg<B32> startOfColumns = place.column()
                .map(column -> b.mad(column, Immediate.b32(stepOfColumns), firstOfColumns))
                .orElse(firstOfColumns);
        columnsStart = operandOfColumns.lowWord(b, startOfColumns);
        alone = sharing.readers() == 1;
        if (alone) {
            releases = b.lt(threadInWarpgroup, 1);
            emptyBase = stages.pipeline().empty().pointer(b, 0);
        } else {
            ClusterSharing.Writer writer = sharing.writer(b, cluster, threadInWarpgroup);
            releases = writer.exists();
            emptyBase = stages.remoteEmptyBase(b, writer.rank());
        }
        state = stages.pipeline().consumerState(b);
        previous = b.b32();
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

    /** The f32 accumulators of a thread: those of the first 64 rows from left to right, then of the next. */
    public List<Reg<F32>> accumulators() {
        return accumulators;
    }

    /** Leaves out the stages of a tile that another warpgroup multiplies. */
    public void skip(CodeBuilder b, Reg<B32> kBlocks) {
        state.skip(b, kBlocks);
    }

    /**
     * Issues the products of all k blocks of a tile. Those of the last ones may still be under way: what does not touch
     * the accumulators can be done until {@link #finish}.
     *
     * @param kBlocks at least 1
     */
    public void issue(CodeBuilder b, Reg<B32> kBlocks) {
        Reg<B32> block = b.b32();
        b.mov(block, 0);
        b.mov(previous, state.slot());
        b.doWhile("multiply k", w -> {
            state.alike(w);
            stages.pipeline().consumerWait(w, Ordering.DEFAULT, state);
            Reg<Pred> notFirst = w.ne(block, 0);
            issueStage(w, notFirst);
            w.wgmmaWaitGroup(config.waitDepth());
            if (config.waitDepth() == 0) {
                release(w, state.slot(), releases);
            } else {
                release(w, previous, w.andPred(releases, notFirst));
                w.mov(previous, state.slot());
            }
            state.advance(w);
            w.add(block, block, 1);
            return w.lt(block, kBlocks);
        });
    }

    /** Waits for the products; afterwards the accumulators may be read. */
    public void finish(CodeBuilder b) {
        if (config.waitDepth() > 0) {
            b.wgmmaWaitGroup(0);
            release(b, previous, releases);
        }
    }

    private void issueStage(CodeBuilder b, Reg<Pred> notFirst) {
        int unitsPerStage = stages.layout().bytes() / DESCRIPTOR_UNIT;
        Reg<B64> rows = b.pack(
                b.mad(state.slot(), Immediate.b32(unitsPerStage), rowsStart), Immediate.b32(operandOfRows.highWord()));
        Reg<B64> columns = b.pack(
                b.mad(state.slot(), Immediate.b32(unitsPerStage), columnsStart),
                Immediate.b32(operandOfColumns.highWord()));
        WarpgroupTile tile = config.warpgroupTile();
        int perMma = tile.mmaColumns() / 2;
        b.wgmmaFence();
        for (int k = 0; k < config.tileK() / config.operands().mmaK(); k++) {
            int along = operandOfColumns.alongK(k);
            List<Reg<B64>> columnSteps = IntStream.range(0, tile.mmaAcross())
                    .mapToObj(
                            across -> plus(b, columns, along + operandOfColumns.alongRows(across * tile.mmaColumns())))
                    .toList();
            ScaleD accumulate = k == 0 ? new ScaleD.When(notFirst) : new ScaleD.Fixed(true);
            int first = 0;
            for (int down = 0; down < tile.mmaDown(); down++) {
                Reg<B64> rowStep =
                        plus(b, rows, operandOfRows.alongK(k) + operandOfRows.alongRows(down * Sm90Config.MMA_ROWS));
                for (Reg<B64> columnStep : columnSteps) {
                    b.wgmma(inputs, accumulators.subList(first, first + perMma), rowStep, columnStep, accumulate);
                    first += perMma;
                }
            }
        }
        b.wgmmaCommitGroup();
    }

    private static Reg<B64> plus(CodeBuilder b, Reg<B64> descriptor, int units) {
        return units == 0 ? descriptor : b.add(descriptor, units);
    }

    /** One lane for each CTA that loaded a part of the stage. */
    private void release(CodeBuilder b, Reg<B32> slot, Reg<Pred> when) {
        Reg<B32> address = b.add(b.shl(slot, 3), emptyBase);
        Address barrier = alone ? SharedAddress.of(address) : ClusterAddress.of(address);
        b.guarded(when, g -> g.mbarrierArrive(barrier));
    }
}
