package dev.tilewright.ptx.text;

import static dev.tilewright.ptx.text.OperandText.line;
import static dev.tilewright.ptx.text.OperandText.operand;
import static dev.tilewright.ptx.text.OperandText.vector;

import dev.tilewright.ptx.instruction.Matrix;
import dev.tilewright.ptx.instruction.WarpMatrix;
import dev.tilewright.ptx.instruction.Wgmma;
import dev.tilewright.ptx.instruction.Wgmma.MatrixA;
import dev.tilewright.ptx.instruction.Wgmma.ScaleD;
import dev.tilewright.ptx.type.Element;

/** Matrix multiplies, and loads and stores of their fragments, as text. */
final class MatrixText {
    private MatrixText() {}

    static String wgmma(Wgmma instruction) {
        return switch (instruction) {
            case Wgmma.Fence _, Wgmma.CommitGroup _, Wgmma.WaitGroup _ -> FormText.of(instruction);
            case Wgmma.MmaAsync i -> multiply(i);
        };
    }

    static String matrix(Matrix instruction) {
        return switch (instruction) {
            case Matrix.Store i ->
                line(
                        "stmatrix.sync.aligned.m8n8.x" + i.values().size() + (i.transposed() ? ".trans" : "")
                                + ".shared.b16",
                        i.address(),
                        vector(i.values()));
            case Matrix.Load i ->
                line(
                        "ldmatrix.sync.aligned.m8n8.x" + i.d().size() + (i.transposed() ? ".trans" : "")
                                + ".shared.b16",
                        vector(i.d()),
                        i.address());
            case Matrix.LoadBytes i ->
                line(
                        "ldmatrix.sync.aligned." + (i.square() ? "m16n16.x" : "m8n16.x") + i.count()
                                + (i.square() ? ".trans" : "") + ".shared."
                                + i.packing().ptx(),
                        vector(i.d()),
                        i.address());
            case Matrix.StoreBytes i ->
                line(
                        "stmatrix.sync.aligned.m16n8.x" + i.values().size() + ".trans.shared.b8",
                        i.address(),
                        vector(i.values()));
        };
    }

    /** Integers have no signs, and only elements of 16 bits have transpositions. */
    private static String multiply(Wgmma.MmaAsync i) {
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

    static String warp(WarpMatrix instruction) {
        return switch (instruction) {
            case WarpMatrix.Multiply i ->
                line(
                        "mma.sync.aligned." + i.shape().ptx() + layout(i.columnsA()) + layout(!i.rowsB())
                                + (i.saturate() ? ".satfinite." : ".")
                                + i.typeD().ptx() + "." + i.typeA().ptx() + "."
                                + i.typeB().ptx() + "." + i.typeC().ptx(),
                        vector(i.d()),
                        vector(i.a()),
                        vector(i.b()),
                        vector(i.c()));
            case WarpMatrix.Load i ->
                line(
                        "wmma.load." + i.role().ptx() + ".sync.aligned" + layout(i.columns()) + "."
                                + i.shape().ptx() + i.address().space().ptx() + "."
                                + i.type().ptx(),
                        vector(i.d()),
                        i.address(),
                        i.stride());
            case WarpMatrix.Store i ->
                line(
                        "wmma.store.d.sync.aligned" + layout(i.columns()) + "."
                                + i.shape().ptx() + i.address().space().ptx() + "."
                                + i.type().ptx(),
                        i.address(),
                        vector(i.values()),
                        i.stride());
            case WarpMatrix.MultiplyFragments i ->
                line(
                        "wmma.mma.sync.aligned" + layout(i.columnsA()) + layout(!i.rowsB()) + "."
                                + i.shape().ptx() + types(i) + (i.saturate() ? ".satfinite" : ""),
                        vector(i.d()),
                        vector(i.a()),
                        vector(i.b()),
                        vector(i.c()));
            case WarpMatrix.Transpose i -> FormText.of(i);
        };
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
