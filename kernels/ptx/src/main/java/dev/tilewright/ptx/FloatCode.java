package dev.tilewright.ptx;

import dev.tilewright.ptx.instruction.Arithmetic.FloatUnaryOperation;
import dev.tilewright.ptx.instruction.FloatMath.Binary;
import dev.tilewright.ptx.instruction.FloatMath.Fma;
import dev.tilewright.ptx.instruction.FloatMath.Operation;
import dev.tilewright.ptx.instruction.FloatMath.Options;
import dev.tilewright.ptx.instruction.FloatMath.Unary;
import dev.tilewright.ptx.instruction.FloatMath.UnaryOperation;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.F32;
import dev.tilewright.ptx.type.RegisterType.Floating;
import dev.tilewright.ptx.type.Rounding;
import dev.tilewright.ptx.type.ScalarType;

/** Floating-point short forms, f32 or f64 by the type of a; rounded to nearest even where rounding matters. */
public interface FloatCode extends Emitter {
    /** {@code d = a + b}. */
    default <T extends Floating> void fadd(Reg<T> d, Operand<T> a, Operand<T> b) {
        with(new Binary(Operation.ADD, Rounding.RN, Options.NONE, a.type(), d, a, b));
    }

    default <T extends Floating> Reg<T> fadd(Operand<T> a, Operand<T> b) {
        Reg<T> d = fresh(a.type());
        fadd(d, a, b);
        return d;
    }

    /** {@code d = a - b}. */
    default <T extends Floating> void fsub(Reg<T> d, Operand<T> a, Operand<T> b) {
        with(new Binary(Operation.SUB, Rounding.RN, Options.NONE, a.type(), d, a, b));
    }

    default <T extends Floating> Reg<T> fsub(Operand<T> a, Operand<T> b) {
        Reg<T> d = fresh(a.type());
        fsub(d, a, b);
        return d;
    }

    /** {@code d = a * b}. */
    default <T extends Floating> void fmul(Reg<T> d, Operand<T> a, Operand<T> b) {
        with(new Binary(Operation.MUL, Rounding.RN, Options.NONE, a.type(), d, a, b));
    }

    default <T extends Floating> Reg<T> fmul(Operand<T> a, Operand<T> b) {
        Reg<T> d = fresh(a.type());
        fmul(d, a, b);
        return d;
    }

    /** {@code d = a / b}. */
    default <T extends Floating> void fdiv(Reg<T> d, Operand<T> a, Operand<T> b) {
        with(new Binary(Operation.DIV, Rounding.RN, Options.NONE, a.type(), d, a, b));
    }

    default <T extends Floating> Reg<T> fdiv(Operand<T> a, Operand<T> b) {
        Reg<T> d = fresh(a.type());
        fdiv(d, a, b);
        return d;
    }

    /** {@code d = min(a, b)}. */
    default <T extends Floating> void fmin(Reg<T> d, Operand<T> a, Operand<T> b) {
        with(new Binary(Operation.MIN, Rounding.NONE, Options.NONE, a.type(), d, a, b));
    }

    default <T extends Floating> Reg<T> fmin(Operand<T> a, Operand<T> b) {
        Reg<T> d = fresh(a.type());
        fmin(d, a, b);
        return d;
    }

    /** {@code d = max(a, b)}. */
    default <T extends Floating> void fmax(Reg<T> d, Operand<T> a, Operand<T> b) {
        with(new Binary(Operation.MAX, Rounding.NONE, Options.NONE, a.type(), d, a, b));
    }

    default <T extends Floating> Reg<T> fmax(Operand<T> a, Operand<T> b) {
        Reg<T> d = fresh(a.type());
        fmax(d, a, b);
        return d;
    }

    /** {@code d = max(a, b)}, NaN if either is. */
    default <T extends Floating> Reg<T> atLeast(Operand<T> a, Operand<T> b) {
        Reg<T> d = fresh(a.type());
        with(new Binary(Operation.MAX, Rounding.NONE, Options.KEEP_NAN, a.type(), d, a, b));
        return d;
    }

    /** {@code d = min(a, b)}, NaN if either is. */
    default <T extends Floating> Reg<T> atMost(Operand<T> a, Operand<T> b) {
        Reg<T> d = fresh(a.type());
        with(new Binary(Operation.MIN, Rounding.NONE, Options.KEEP_NAN, a.type(), d, a, b));
        return d;
    }

    /** {@code d = a * b + c}, rounded once. */
    default <T extends Floating> void fma(Reg<T> d, Operand<T> a, Operand<T> b, Operand<T> c) {
        with(new Fma(Rounding.RN, Options.NONE, a.type(), d, a, b, c));
    }

    default <T extends Floating> Reg<T> fma(Operand<T> a, Operand<T> b, Operand<T> c) {
        Reg<T> d = fresh(a.type());
        fma(d, a, b, c);
        return d;
    }

    /** A one-operand function; see {@link FloatUnaryOperation}. */
    default <T extends Floating> Reg<T> unary(FloatUnaryOperation operation, Operand<T> a) {
        Reg<T> d = fresh(a.type());
        with(new Unary(operation.operation(), operation.rounding(), false, a.type(), d, a));
        return d;
    }

    /** An approximation of f32 for which subnormal numbers are 0: one instruction of the machine, without a scaling. */
    default Reg<F32> flushed(UnaryOperation operation, Operand<F32> a) {
        Reg<F32> d = fresh(ScalarType.F32);
        with(new Unary(operation, Rounding.APPROX, true, ScalarType.F32, d, a));
        return d;
    }

    default <T extends Floating> Reg<T> fneg(Operand<T> a) {
        return unary(FloatUnaryOperation.NEG, a);
    }

    default <T extends Floating> Reg<T> fabs(Operand<T> a) {
        return unary(FloatUnaryOperation.ABS, a);
    }
}
