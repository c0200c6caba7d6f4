package dev.tilewright.ptx;

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
        return into(fresh(a.type()), d -> fadd(d, a, b));
    }

    /** {@code d = a - b}. */
    default <T extends Floating> void fsub(Reg<T> d, Operand<T> a, Operand<T> b) {
        with(new Binary(Operation.SUB, Rounding.RN, Options.NONE, a.type(), d, a, b));
    }

    default <T extends Floating> Reg<T> fsub(Operand<T> a, Operand<T> b) {
        return into(fresh(a.type()), d -> fsub(d, a, b));
    }

    /** {@code d = a * b}. */
    default <T extends Floating> void fmul(Reg<T> d, Operand<T> a, Operand<T> b) {
        with(new Binary(Operation.MUL, Rounding.RN, Options.NONE, a.type(), d, a, b));
    }

    default <T extends Floating> Reg<T> fmul(Operand<T> a, Operand<T> b) {
        return into(fresh(a.type()), d -> fmul(d, a, b));
    }

    /** {@code d = a / b}. */
    default <T extends Floating> void fdiv(Reg<T> d, Operand<T> a, Operand<T> b) {
        with(new Binary(Operation.DIV, Rounding.RN, Options.NONE, a.type(), d, a, b));
    }

    default <T extends Floating> Reg<T> fdiv(Operand<T> a, Operand<T> b) {
        return into(fresh(a.type()), d -> fdiv(d, a, b));
    }

    /** {@code d = min(a, b)}. */
    default <T extends Floating> void fmin(Reg<T> d, Operand<T> a, Operand<T> b) {
        with(new Binary(Operation.MIN, Rounding.NONE, Options.NONE, a.type(), d, a, b));
    }

    default <T extends Floating> Reg<T> fmin(Operand<T> a, Operand<T> b) {
        return into(fresh(a.type()), d -> fmin(d, a, b));
    }

    /** {@code d = max(a, b)}. */
    default <T extends Floating> void fmax(Reg<T> d, Operand<T> a, Operand<T> b) {
        with(new Binary(Operation.MAX, Rounding.NONE, Options.NONE, a.type(), d, a, b));
    }

    default <T extends Floating> Reg<T> fmax(Operand<T> a, Operand<T> b) {
        return into(fresh(a.type()), d -> fmax(d, a, b));
    }

    /** {@code d = max(a, b)}, NaN if either is. */
    default <T extends Floating> Reg<T> atLeast(Operand<T> a, Operand<T> b) {
        return into(
                fresh(a.type()),
                d -> with(new Binary(Operation.MAX, Rounding.NONE, Options.KEEP_NAN, a.type(), d, a, b)));
    }

    /** {@code d = min(a, b)}, NaN if either is. */
    default <T extends Floating> Reg<T> atMost(Operand<T> a, Operand<T> b) {
        return into(
                fresh(a.type()),
                d -> with(new Binary(Operation.MIN, Rounding.NONE, Options.KEEP_NAN, a.type(), d, a, b)));
    }

    /** {@code d = a * b + c}, rounded once. */
    default <T extends Floating> void fma(Reg<T> d, Operand<T> a, Operand<T> b, Operand<T> c) {
        with(new Fma(Rounding.RN, Options.NONE, a.type(), d, a, b, c));
    }

    default <T extends Floating> Reg<T> fma(Operand<T> a, Operand<T> b, Operand<T> c) {
        return into(fresh(a.type()), d -> fma(d, a, b, c));
    }

    /** An approximation of f32: sqrt, rsqrt, rcp, lg2, ex2, sin, cos or tanh. */
    default Reg<F32> approximate(UnaryOperation operation, Operand<F32> a) {
        return into(
                fresh(ScalarType.F32), d -> with(new Unary(operation, Rounding.APPROX, false, ScalarType.F32, d, a)));
    }

    /** An approximation of f32 for which subnormal numbers are 0: one instruction of the machine, without a scaling. */
    default Reg<F32> flushed(UnaryOperation operation, Operand<F32> a) {
        return into(
                fresh(ScalarType.F32), d -> with(new Unary(operation, Rounding.APPROX, true, ScalarType.F32, d, a)));
    }

    default <T extends Floating> Reg<T> fneg(Operand<T> a) {
        return into(fresh(a.type()), d -> with(new Unary(UnaryOperation.NEG, Rounding.NONE, false, a.type(), d, a)));
    }

    default <T extends Floating> Reg<T> fabs(Operand<T> a) {
        return into(fresh(a.type()), d -> with(new Unary(UnaryOperation.ABS, Rounding.NONE, false, a.type(), d, a)));
    }
}
