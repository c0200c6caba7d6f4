package dev.tilewright.ptx.text;

import static dev.tilewright.ptx.text.OperandText.line;
import static dev.tilewright.ptx.text.OperandText.operand;
import static dev.tilewright.ptx.text.OperandText.vector;

import dev.tilewright.ptx.instruction.Matrix;
import dev.tilewright.ptx.instruction.Tcgen05;
import dev.tilewright.ptx.instruction.WarpMatrix;
import dev.tilewright.ptx.instruction.Wgmma;
import dev.tilewright.ptx.instruction.Wgmma.MatrixA;
import dev.tilewright.ptx.instruction.Wgmma.ScaleD;
import dev.tilewright.ptx.type.Element;
import java.util.Optional;

/** Matrix multiplies, and loads and stores of their fragments, as text. */
final class MatrixText {
    private MatrixText() {}

    /** Integers have no signs, and only elements of 16 bits have transpositions. */
    static String wgmma(Wgmma.MmaAsync i) {
        String a = switch (i.a()) {
            case MatrixA.Descriptor s -> operand(s.descriptor());
            case MatrixA.Fragment f -> vector(f.registers());
        };
        String scale = switch (i.scaleD()) {
            case ScaleD.Fixed fixed -> bit(fixed.accumulate());
            case ScaleD.When when -> operand(when.accumulate());
        };
        StringBuilder text = new StringBuilder(line(
                "wgmma.mma_async.sync.aligned.m64n" + i.n() + "k" + i.k() + (i.saturate() ? ".satfinite." : ".")
                        + i.accumulator().ptx() + "." + i.typeA().ptx() + "."
                        + i.typeB().ptx(),
                vector(i.d()),
                a,
                i.b(),
                scale));
        if (i.accumulator() != Element.S32) {
            text.append(i.negateA() ? ", -1" : ", 1").append(i.negateB() ? ", -1" : ", 1");
        }
        if (i.typeA().bits() == 16) {
            if (i.a() instanceof MatrixA.Descriptor s) {
                text.append(", ").append(bit(s.transposed()));
            }
            text.append(", ").append(bit(i.transposeB()));
        }
        return text.toString();
    }

    static String loadBytes(Matrix.LoadBytes i) {
        return "ldmatrix.sync.aligned." + (i.square() ? "m16n16.x" : "m8n16.x") + i.count()
                + (i.square() ? ".trans" : "") + ".shared." + i.packing().ptx() + FormText.of(i);
    }

    static String fragments(WarpMatrix.MultiplyFragments i) {
        return "wmma.mma.sync.aligned" + layout(i.columnsA()) + layout(!i.rowsB()) + "."
                + i.shape().ptx() + types(i) + (i.saturate() ? ".satfinite" : "") + FormText.of(i);
    }

    static String tcgen05(Tcgen05.Multiply i) {
        Object a = switch (i.a()) {
            case Tcgen05.MatrixA.Descriptor s -> s.descriptor();
            case Tcgen05.MatrixA.Tensor t -> t.address();
        };
        return line(
                "tcgen05.mma." + i.group().ptx() + ".kind::" + i.kind().ptx(),
                i.d(),
                a,
                i.b(),
                i.descriptor(),
                i.disabledLanes().isEmpty() ? Optional.empty() : vector(i.disabledLanes()),
                i.accumulate());
    }

    static String load(Tcgen05.Load i) {
        return line(
                "tcgen05.ld.sync.aligned." + i.shape().ptx() + ".x" + i.repetitions() + (i.pack() ? ".pack::16b" : "")
                        + ".b32",
                vector(i.d()),
                i.address(),
                split(i.shape(), i.split()));
    }

    static String store(Tcgen05.Store i) {
        return line(
                "tcgen05.st.sync.aligned." + i.shape().ptx() + ".x" + i.repetitions()
                        + (i.unpack() ? ".unpack::16b" : "") + ".b32",
                i.address(),
                split(i.shape(), i.split()),
                vector(i.values()));
    }

    private static Optional<String> split(Tcgen05.Shape shape, int columns) {
        return shape == Tcgen05.Shape.L16_B32_TWICE ? Optional.of(Integer.toString(columns)) : Optional.empty();
    }

    /** Products of f16 name the accumulators alone. */
    private static String types(WarpMatrix.MultiplyFragments i) {
        return i.typeA() == Element.F16
                ? "." + i.typeD().ptx() + "." + i.typeC().ptx()
                : "." + i.typeD().ptx() + "." + i.typeA().ptx() + "."
                        + i.typeB().ptx() + "." + i.typeC().ptx();
    }

    private static String layout(boolean columns) {
        return columns ? ".col" : ".row";
    }

    private static String bit(boolean value) {
        return value ? "1" : "0";
    }
}
