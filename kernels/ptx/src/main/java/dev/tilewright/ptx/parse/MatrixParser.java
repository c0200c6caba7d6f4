package dev.tilewright.ptx.parse;

import dev.tilewright.ptx.instruction.Instruction;
import dev.tilewright.ptx.instruction.Matrix;
import dev.tilewright.ptx.instruction.MatrixMultiply;
import dev.tilewright.ptx.instruction.MatrixMultiply.Element;
import dev.tilewright.ptx.instruction.WarpMatrix.Shape;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.SharedAddress;
import dev.tilewright.ptx.type.StateSpace;
import java.util.List;

/** {@link Matrix}, and the multiply of a warp. */
final class MatrixParser {
    private MatrixParser() {}

    static Instruction store(Line in) {
        int count = head(in);
        boolean transposed = in.has("trans");
        SharedAddress address = Addresses.shared(in);
        List<Reg<B32>> values = in.registers();
        in.requireElements(values.size(), count);
        return new Matrix.Store(transposed, address, values);
    }

    static Instruction load(Line in) {
        int count = head(in);
        boolean transposed = in.has("trans");
        List<Reg<B32>> d = in.registers();
        in.requireElements(d.size(), count);
        return new Matrix.Load(transposed, d, Addresses.shared(in));
    }

    /** mma.sync. */
    static Instruction multiply(Line in) {
        in.require("sync", "aligned");
        Shape shape = WarpMatrixParser.shape(in);
        if (shape.m() != 16 || shape.n() != 8 || in.sees("f64")) {
            return WarpMatrixParser.multiply(in, shape);
        }
        in.require("row", "col");
        int k = shape.k();
        boolean saturate = in.has("satfinite");
        Element d = in.one(WgmmaParser.ELEMENTS, "a type of D");
        Element a = in.one(WgmmaParser.ELEMENTS, "a type of A");
        Element b = in.one(WgmmaParser.ELEMENTS, "a type of B");
        Element c = in.one(WgmmaParser.ELEMENTS, "a type of C");
        List<Reg<RegisterType>> destinations = in.registers();
        ScalarType sums = c == Element.F32 ? ScalarType.F32 : ScalarType.B32;
        return new MatrixMultiply.Warp(
                k,
                d,
                a,
                b,
                c,
                saturate,
                List.copyOf(destinations),
                List.copyOf(in.values(ScalarType.B32)),
                List.copyOf(in.values(ScalarType.B32)),
                List.copyOf(in.values(sums)));
    }

    private static int head(Line in) {
        in.require("sync", "aligned", "m8n8", "b16");
        if (in.space() != StateSpace.SHARED) {
            throw in.refuse("the address must be in .shared::cta");
        }
        return in.counted("x", "").orElseThrow(() -> in.refuse("needs .x1, .x2 or .x4"));
    }
}
