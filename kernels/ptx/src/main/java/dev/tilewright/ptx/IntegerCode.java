package dev.tilewright.ptx;

import dev.tilewright.ptx.instruction.Arithmetic.Binary;
import dev.tilewright.ptx.instruction.Arithmetic.Half;
import dev.tilewright.ptx.instruction.Arithmetic.IntegerOperation;
import dev.tilewright.ptx.instruction.Arithmetic.IntegerUnaryOperation;
import dev.tilewright.ptx.instruction.Arithmetic.MultiplyAdd;
import dev.tilewright.ptx.instruction.Arithmetic.MultiplyWide;
import dev.tilewright.ptx.instruction.Arithmetic.Unary;
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
        Reg<T> d = fresh(a.type());
        add(d, a, b);
        return d;
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
        Reg<T> d = fresh(a.type());
        sub(d, a, b);
        return d;
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
        Reg<T> d = fresh(a.type());
        mulLo(d, a, b);
        return d;
    }

    default <T extends Bits> Reg<T> mulLo(Operand<T> a, long b) {
        return mulLo(a, new Immediate<>(a.type(), b));
    }

    /** {@code d} = {@code the high half of the unsigned product}. */
    default <T extends Bits> void mulHi(Reg<T> d, Operand<T> a, Operand<T> b) {
        with(new Binary(IntegerOperation.MUL_HI, a.type().unsigned(), d, a, b));
    }

    default <T extends Bits> Reg<T> mulHi(Operand<T> a, Operand<T> b) {
        Reg<T> d = fresh(a.type());
        mulHi(d, a, b);
        return d;
    }

    default <T extends Bits> Reg<T> mulHi(Operand<T> a, long b) {
        return mulHi(a, new Immediate<>(a.type(), b));
    }

    /** {@code d} = {@code a / b, unsigned}. */
    default <T extends Bits> void div(Reg<T> d, Operand<T> a, Operand<T> b) {
        with(new Binary(IntegerOperation.DIV, a.type().unsigned(), d, a, b));
    }

    default <T extends Bits> Reg<T> div(Operand<T> a, Operand<T> b) {
        Reg<T> d = fresh(a.type());
        div(d, a, b);
        return d;
    }

    default <T extends Bits> Reg<T> div(Operand<T> a, long b) {
        return div(a, new Immediate<>(a.type(), b));
    }

    /** {@code d} = {@code a % b, unsigned}. */
    default <T extends Bits> void rem(Reg<T> d, Operand<T> a, Operand<T> b) {
        with(new Binary(IntegerOperation.REM, a.type().unsigned(), d, a, b));
    }

    default <T extends Bits> Reg<T> rem(Operand<T> a, Operand<T> b) {
        Reg<T> d = fresh(a.type());
        rem(d, a, b);
        return d;
    }

    default <T extends Bits> Reg<T> rem(Operand<T> a, long b) {
        return rem(a, new Immediate<>(a.type(), b));
    }

    /** {@code d} = {@code the smaller, unsigned}. */
    default <T extends Bits> void min(Reg<T> d, Operand<T> a, Operand<T> b) {
        with(new Binary(IntegerOperation.MIN, a.type().unsigned(), d, a, b));
    }

    default <T extends Bits> Reg<T> min(Operand<T> a, Operand<T> b) {
        Reg<T> d = fresh(a.type());
        min(d, a, b);
        return d;
    }

    default <T extends Bits> Reg<T> min(Operand<T> a, long b) {
        return min(a, new Immediate<>(a.type(), b));
    }

    /** {@code d} = {@code the larger, unsigned}. */
    default <T extends Bits> void max(Reg<T> d, Operand<T> a, Operand<T> b) {
        with(new Binary(IntegerOperation.MAX, a.type().unsigned(), d, a, b));
    }

    default <T extends Bits> Reg<T> max(Operand<T> a, Operand<T> b) {
        Reg<T> d = fresh(a.type());
        max(d, a, b);
        return d;
    }

    default <T extends Bits> Reg<T> max(Operand<T> a, long b) {
        return max(a, new Immediate<>(a.type(), b));
    }

    /** {@code d} = {@code the smaller, signed}. */
    default <T extends Bits> void minSigned(Reg<T> d, Operand<T> a, Operand<T> b) {
        with(new Binary(IntegerOperation.MIN, a.type().signed(), d, a, b));
    }

    default <T extends Bits> Reg<T> minSigned(Operand<T> a, Operand<T> b) {
        Reg<T> d = fresh(a.type());
        minSigned(d, a, b);
        return d;
    }

    default <T extends Bits> Reg<T> minSigned(Operand<T> a, long b) {
        return minSigned(a, new Immediate<>(a.type(), b));
    }

    /** {@code d} = {@code the larger, signed}. */
    default <T extends Bits> void maxSigned(Reg<T> d, Operand<T> a, Operand<T> b) {
        with(new Binary(IntegerOperation.MAX, a.type().signed(), d, a, b));
    }

    default <T extends Bits> Reg<T> maxSigned(Operand<T> a, Operand<T> b) {
        Reg<T> d = fresh(a.type());
        maxSigned(d, a, b);
        return d;
    }

    default <T extends Bits> Reg<T> maxSigned(Operand<T> a, long b) {
        return maxSigned(a, new Immediate<>(a.type(), b));
    }

    /** {@code d} = {@code a / b, signed}. */
    default <T extends Bits> void divSigned(Reg<T> d, Operand<T> a, Operand<T> b) {
        with(new Binary(IntegerOperation.DIV, a.type().signed(), d, a, b));
    }

    default <T extends Bits> Reg<T> divSigned(Operand<T> a, Operand<T> b) {
        Reg<T> d = fresh(a.type());
        divSigned(d, a, b);
        return d;
    }

    default <T extends Bits> Reg<T> divSigned(Operand<T> a, long b) {
        return divSigned(a, new Immediate<>(a.type(), b));
    }

    /** {@code d} = {@code a % b, signed}. */
    default <T extends Bits> void remSigned(Reg<T> d, Operand<T> a, Operand<T> b) {
        with(new Binary(IntegerOperation.REM, a.type().signed(), d, a, b));
    }

    default <T extends Bits> Reg<T> remSigned(Operand<T> a, Operand<T> b) {
        Reg<T> d = fresh(a.type());
        remSigned(d, a, b);
        return d;
    }

    default <T extends Bits> Reg<T> remSigned(Operand<T> a, long b) {
        return remSigned(a, new Immediate<>(a.type(), b));
    }

    /** {@code d = a * b + c}, low half. */
    default <T extends Bits> void mad(Reg<T> d, Operand<T> a, Operand<T> b, Operand<T> c) {
        with(new MultiplyAdd(Half.LO, a.type().unsigned(), d, a, b, c));
    }

    default <T extends Bits> void mad(Reg<T> d, Operand<T> a, long b, Operand<T> c) {
        mad(d, a, new Immediate<>(a.type(), b), c);
    }

    default <T extends Bits> Reg<T> mad(Operand<T> a, Operand<T> b, Operand<T> c) {
        Reg<T> d = fresh(a.type());
        mad(d, a, b, c);
        return d;
    }

    default <T extends Bits> Reg<T> mad(Operand<T> a, long b, Operand<T> c) {
        return mad(a, new Immediate<>(a.type(), b), c);
    }

    /** 64-bit product of unsigned 32-bit factors. */
    default Reg<B64> mulWide(Operand<B32> a, Operand<B32> b) {
        Reg<B64> d = b64();
        with(new MultiplyWide(ScalarType.U32, d, a, b));
        return d;
    }

    default Reg<B64> mulWide(Operand<B32> a, long b) {
        return mulWide(a, Immediate.b32(b));
    }

    /** {@code a * b + c} with unsigned 32-bit factors and a 64-bit addend: the way to index memory. */
    default Reg<B64> madWide(Operand<B32> a, Operand<B32> b, Operand<B64> c) {
        Reg<B64> d = b64();
        with(new MultiplyAdd(Half.WIDE, ScalarType.U32, d, a, b, c));
        return d;
    }

    default Reg<B64> madWide(Operand<B32> a, long b, Operand<B64> c) {
        return madWide(a, Immediate.b32(b), c);
    }

    /** {@code -a}. */
    default <T extends Bits> Reg<T> neg(Operand<T> a) {
        Reg<T> d = fresh(a.type());
        with(new Unary(IntegerUnaryOperation.NEG, a.type().signed(), d, a));
        return d;
    }

    /** {@code |a|}, signed. */
    default <T extends Bits> Reg<T> abs(Operand<T> a) {
        Reg<T> d = fresh(a.type());
        with(new Unary(IntegerUnaryOperation.ABS, a.type().signed(), d, a));
        return d;
    }
}
