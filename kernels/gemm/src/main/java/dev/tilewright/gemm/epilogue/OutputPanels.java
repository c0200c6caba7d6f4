package dev.tilewright.gemm.epilogue;

import dev.tilewright.gemm.kernel.TensorBox;
import dev.tilewright.gemm.kernel.TileLookup.Matrix;
import dev.tilewright.gemm.mainloop.Warpgroup;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.F32;
import dev.tilewright.space.sm90.Sm90Config;
import java.util.ArrayList;
import java.util.List;

/**
 * The panels by which warpgroups store their accumulators, and where in D they lie. Rows of instructions are rows of D,
 * or columns of D where instructions have the rows of B as theirs: nobody else asks which.
 */
public record OutputPanels(Sm90Config config) {

    /** The boxes of D by which panels are stored: that of all panels, and that of the last one if it is narrower. */
    public List<TensorBox> boxes() {
        List<TensorBox> boxes =
                new ArrayList<>(List.of(box(Matrix.D, config.epilogue().panelN())));
        if (config.epilogue().narrowPanelN() > 0) {
            boxes.add(box(Matrix.NARROW_D, config.epilogue().narrowPanelN()));
        }
        return boxes;
    }

    private TensorBox box(Matrix matrix, int columns) {
        DataType type = type();
        int rows = Sm90Config.MMA_ROWS;
        return switch (config.multiply().rowOperand()) {
            case A ->
                TensorBox.ofD(matrix, type, columns, rows, config.epilogue().panelN() * type.bytes());
            case B -> TensorBox.ofD(matrix, type, rows, columns, rows * type.bytes());
        };
    }

    private DataType type() {
        return config.operands().types().d();
    }

    /** @param base start of the dynamic shared memory, shifted to the panels of the warpgroup */
    PanelWriter writer(CodeBuilder b, Reg<B32> base, Reg<B32> threadInWarpgroup) {
        return switch (config.multiply().rowOperand()) {
            case A -> PanelWriter.of(b, type(), config.epilogue().panelN(), base, threadInWarpgroup);
            case B -> TransposedPanelWriter.of(b, type(), base, threadInWarpgroup);
        };
    }

    /** Column and row in D, as a tensor map takes them, of a row and a column of instructions. */
    List<Reg<B32>> coordinates(Reg<B32> row, Reg<B32> column) {
        return switch (config.multiply().rowOperand()) {
            case A -> List.of(column, row);
            case B -> List.of(row, column);
        };
    }

    /**
     * A thread's accumulators of a panel, in the order of wgmma: pairs at columns 8 * i + 2 * (lane mod 4), for row
     * lane / 4 and for 8 rows below; each warp has 16 rows.
     *
     * @param row first one of what the warpgroup has of the tile
     * @param column likewise
     */
    Fragment fragment(Warpgroup own, TilePanel panel, List<Reg<F32>> values, Reg<B32> row, Reg<B32> column) {
        Fragment.Line rows = new Fragment.Line(
                b -> {
                    Reg<B32> inPanel = own.rowOfThread(b);
                    return b.add(b.add(row, inPanel), panel.firstRow());
                },
                Warpgroup::rowOfSum);
        Fragment.Line columns = new Fragment.Line(
                b -> b.add(b.add(column, own.columnOfThread(b)), panel.firstColumn()), Warpgroup::columnOfSum);
        return switch (config.multiply().rowOperand()) {
            case A -> new Fragment(values, rows, columns);
            case B -> new Fragment(values, columns, rows);
        };
    }
}
