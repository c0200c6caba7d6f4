package dev.tilewright.ptx;

import dev.tilewright.ptx.instruction.Arithmetic.Binary;
import dev.tilewright.ptx.instruction.Arithmetic.Half;
import dev.tilewright.ptx.instruction.Arithmetic.IntegerOperation;
import dev.tilewright.ptx.instruction.Arithmetic.MultiplyAdd;
import dev.tilewright.ptx.instruction.Arithmetic.MultiplyWide;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.B64;
import dev.tilewright.ptx.type.RegisterType.Bits;
import dev.tilewright.ptx.type.ScalarType;

/**
 * Integer short forms, a flat list. {@code op(a, b)} returns a fresh register, {@code op(d, a, b)} writes d, which may
 * be a (in place). Where the last operand is a number, not every operation has the second form: only those that a
 * kernel needed. Unsigned unless the name says signed; the size is that of a.
 */
public interface IntegerCode extends Emitter {
    /** {@code d} = {@code a + b}. */
    default <T extends Bits> void add(Reg<T> d, Operand<T> a, Operand<T> b) {
        with(new Binary(IntegerOperation.ADD, a.type().unsigned(), d, a, b));
    }

    default <T extends Bits> void add(Reg<T> d, Operand<T> a, long b) {
        add(d, a, new Immediate<>(a.type(), b));
    }

    default <T extends Bits> Reg<T> add(Operand<T> a, Operand<T> b) {
        return into(fresh(a.type()), d -> add(d, a, b));
    }

    default <T extends Bits> Reg<T> add(Operand<T> a, long b) {
        return add(a, new Immediate<>(a.type(), b));
    }

    /** {@code d} = {@code a - b}. */
    default <T extends Bits> void sub(Reg<T> d, Operand<T> a, Operand<T> b) {
        with(new Binary(IntegerOperation.SUB, a.type().unsigned(), d, a, b));
    }

    default <T extends Bits> void sub(Reg<T> d, Operand<T> a, long b) {
        sub(d, a, new Immediate<>(a.type(), b));
    }

    default <T extends Bits> Reg<T> sub(Operand<T> a, Operand<T> b) {
        return into(fresh(a.type()), d -> sub(d, a, b));
    }

    default <T extends Bits> Reg<T> sub(Operand<T> a, long b) {
        return sub(a, new Immediate<>(a.type(), b));
    }

    /** {@code d} = {@code the low half of a * b}. */
    default <T extends Bits> void mulLo(Reg<T> d, Operand<T> a, Operand<T> b) {
        with(new Binary(IntegerOperation.MUL_LO, a.type().unsigned(), d, a, b));
    }

    default <T extends Bits> void mulLo(Reg<T> d, Operand<T> a, long b) {
        mulLo(d, a, new Immediate<>(a.type(), b));
    }

    default <T extends Bits> Reg<T> mulLo(Operand<T> a, Operand<T> b) {
        return into(fresh(a.type()), d -> mulLo(d, a, b));
    }

    default <T extends Bits> Reg<T> mulLo(Operand<T> a, long b) {
        return mulLo(a, new Immediate<>(a.type(), b));
    }

    /** {@code d} = {@code the high half of the unsigned product}. */
    default <T extends Bits> void mulHi(Reg<T> d, Operand<T> a, Operand<T> b) {
        with(new Binary(IntegerOperation.MUL_HI, a.type().unsigned(), d, a, b));
    }

    default <T extends Bits> Reg<T> mulHi(Operand<T> a, Operand<T> b) {
        return into(fresh(a.type()), d -> mulHi(d, a, b));
    }

    default <T extends Bits> Reg<T> mulHi(Operand<T> a, long b) {
        return mulHi(a, new Immediate<>(a.type(), b));
    }

    /** {@code d} = {@code a / b, unsigned}. */
    default <T extends Bits> void div(Reg<T> d, Operand<T> a, Operand<T> b) {
        with(new Binary(IntegerOperation.DIV, a.type().unsigned(), d, a, b));
    }

    default <T extends Bits> Reg<T> div(Operand<T> a, Operand<T> b) {
        return into(fresh(a.type()), d -> div(d, a, b));
    }

    default <T extends Bits> Reg<T> div(Operand<T> a, long b) {
        return div(a, new Immediate<>(a.type(), b));
    }

    /** {@code d} = {@code a % b, unsigned}. */
    default <T extends Bits> void rem(Reg<T> d, Operand<T> a, Operand<T> b) {
        with(new Binary(IntegerOperation.REM, a.type().unsigned(), d, a, b));
    }

    default <T extends Bits> Reg<T> rem(Operand<T> a, Operand<T> b) {
        return into(fresh(a.type()), d -> rem(d, a, b));
    }

    default <T extends Bits> Reg<T> rem(Operand<T> a, long b) {
        return rem(a, new Immediate<>(a.type(), b));
    }

    /** {@code d} = {@code the smaller, unsigned}. */
    default <T extends Bits> void min(Reg<T> d, Operand<T> a, Operand<T> b) {
        with(new Binary(IntegerOperation.MIN, a.type().unsigned(), d, a, b));
    }

    default <T extends Bits> Reg<T> min(Operand<T> a, Operand<T> b) {
        return into(fresh(a.type()), d -> min(d, a, b));
    }

    default <T extends Bits> Reg<T> min(Operand<T> a, long b) {
        return min(a, new Immediate<>(a.type(), b));
    }

    /** {@code d} = {@code the larger, unsigned}. */
    default <T extends Bits> void max(Reg<T> d, Operand<T> a, Operand<T> b) {
        with(new Binary(IntegerOperation.MAX, a.type().unsigned(), d, a, b));
    }

    default <T extends Bits> Reg<T> max(Operand<T> a, Operand<T> b) {
        return into(fresh(a.type()), d -> max(d, a, b));
    }

    /** {@code d = a * b + c}, low half. */
    default <T extends Bits> void mad(Reg<T> d, Operand<T> a, Operand<T> b, Operand<T> c) {
        with(new MultiplyAdd(Half.LO, a.type().unsigned(), d, a, b, c));
    }

    default <T extends Bits> Reg<T> mad(Operand<T> a, Operand<T> b, Operand<T> c) {
        return into(fresh(a.type()), d -> mad(d, a, b, c));
    }

    default <T extends Bits> Reg<T> mad(Operand<T> a, long b, Operand<T> c) {
        return mad(a, new Immediate<>(a.type(), b), c);
    }

    /** 64-bit product of unsigned 32-bit factors. */
    default Reg<B64> mulWide(Operand<B32> a, Operand<B32> b) {
        return into(b64(), d -> with(new MultiplyWide(ScalarType.U32, d, a, b)));
    }

    /** {@code a * b + c} with unsigned 32-bit factors and a 64-bit addend: the way to index memory. */
    default Reg<B64> madWide(Operand<B32> a, Operand<B32> b, Operand<B64> c) {
        return into(b64(), d -> with(new MultiplyAdd(Half.WIDE, ScalarType.U32, d, a, b, c)));
    }

    default Reg<B64> madWide(Operand<B32> a, long b, Operand<B64> c) {
        return madWide(a, Immediate.b32(b), c);
    }
}
