package dev.tilewright.gemm.epilogue;

import dev.tilewright.gemm.epilogue.Output.Beside;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Major;
import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.F32;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Multiplies by the scale of the row of A, which is that of D, then by that of the row of B, which is its column. */
record RowScalesStep() implements EpilogueStep {

    private static final ElementReader OF_ROWS = new ElementReader(DataType.F32, Set.of(Major.M));
    private static final ElementReader OF_COLUMNS = new ElementReader(DataType.F32, Set.of(Major.N));

    @Override
    public List<Reg<F32>> apply(CodeBuilder b, Fragment fragment, Output output) {
        ElementReader.Elements rows = OF_ROWS.beside(b, fragment, output, output.start(b, Beside.SCALE_A));
        ElementReader.Elements columns = OF_COLUMNS.beside(b, fragment, output, output.start(b, Beside.SCALE_B));
        List<Reg<F32>> scaled = new ArrayList<>();
        for (int value = 0; value < fragment.values().size(); value++) {
            Reg<F32> ofRow = b.fmul(fragment.values().get(value), rows.of(b, value));
            scaled.add(b.fmul(ofRow, columns.of(b, value)));
        }
        return scaled;
    }
}
