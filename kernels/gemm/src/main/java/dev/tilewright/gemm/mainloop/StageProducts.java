package dev.tilewright.gemm.mainloop;

import dev.tilewright.model.problem.DataType;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.instruction.Wgmma;
import dev.tilewright.ptx.instruction.Wgmma.ScaleD;
import dev.tilewright.ptx.type.Element;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.B64;
import dev.tilewright.ptx.type.RegisterType.F32;
import dev.tilewright.space.operand.OperandTile;
import dev.tilewright.space.sm90.Sm90Config;
import dev.tilewright.space.sm90.WarpgroupTile;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The products of a stage: one warpgroup, 64 rows an instruction, both operands from shared memory. Of a matrix
 * descriptor only the low word changes: by the next elements of K, by rows for the next instruction below or beside it,
 * by a stage for the next slot; {@link MatrixDescriptor} says by how much.
 */
final class StageProducts {

    /** Operand of the rows of an instruction: A, or B where they are swapped. */
    private final MatrixDescriptor operandOfRows;

    /** Operand of its columns. */
    private final MatrixDescriptor operandOfColumns;

    private final Wgmma.Inputs inputs;
    private final WarpgroupTile tile;
    private final MatrixDescriptor.InRing rowsInRing;
    private final MatrixDescriptor.InRing columnsInRing;

    /** Prepares what does not change from stage to stage. */
    StageProducts(CodeBuilder b, Sm90Config config, OperandStages stages, Warpgroup own) {
        StageLayout layout = stages.layout();
        OperandTile rows = layout.tile(config.multiply().rowOperand());
        OperandTile columns = layout.tile(rows.role().other());
        operandOfRows = new MatrixDescriptor(rows);
        operandOfColumns = new MatrixDescriptor(columns);
        inputs = new Wgmma.Inputs(
                element(rows.element()),
                element(columns.element()),
                operandOfRows.transposed(),
                operandOfColumns.transposed());
        tile = config.multiply().warpgroupTile();
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

    /**
     * Issues the products of a stage as one group.
     *
     * @param accumulators those of the first 64 rows from left to right, then of the next rows
     * @param first whether the first products are added to what the accumulators hold
     */
    void issue(CodeBuilder b, Reg<B32> slot, List<Reg<F32>> accumulators, ScaleD first) {
        issue(b, slot, accumulators, first, 0, tile.mmaDown());
    }

    /**
     * Issues the products of some rows of a stage as one group.
     *
     * @param from the first 64 rows of instructions, by their number
     * @param to behind the last ones
     */
    void issue(CodeBuilder b, Reg<B32> slot, List<Reg<F32>> accumulators, ScaleD first, int from, int to) {
        Reg<B64> rows = rowsInRing.of(b, slot);
        Reg<B64> columns = columnsInRing.of(b, slot);
        int perMma = tile.mmaColumns() / 2;
        b.wgmmaFence();
        for (int k = 0; k < operandOfRows.steps(); k++) {
            int along = operandOfColumns.alongK(k);
            List<Reg<B64>> columnSteps = IntStream.range(0, tile.mmaAcross())
                    .mapToObj(across -> MatrixDescriptor.plus(
                            b, columns, along + operandOfColumns.alongRows(across * tile.mmaColumns())))
                    .toList();
            ScaleD accumulate = k == 0 ? first : new ScaleD.Fixed(true);
            int next = 0;
            for (int down = from; down < to; down++) {
                Reg<B64> rowStep = MatrixDescriptor.plus(
                        b, rows, operandOfRows.alongK(k) + operandOfRows.alongRows(down * Sm90Config.MMA_ROWS));
                for (Reg<B64> columnStep : columnSteps) {
                    b.wgmma(inputs, accumulators.subList(next, next + perMma), rowStep, columnStep, accumulate);
                    next += perMma;
                }
            }
        }
        b.wgmmaCommitGroup();
    }
}
