package dev.tilewright.ptx;

import dev.tilewright.ptx.instruction.Arithmetic.Binary;
import dev.tilewright.ptx.instruction.Arithmetic.IntegerOperation;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.Bits;

/** Short forms for bits, with the conventions of {@link IntegerCode}. */
public interface BitCode extends Emitter {
    /** {@code d} = {@code a & b}. */
    default <T extends Bits> void and(Reg<T> d, Operand<T> a, Operand<T> b) {
        with(new Binary(IntegerOperation.AND, a.type().untyped(), d, a, b));
    }

    default <T extends Bits> Reg<T> and(Operand<T> a, Operand<T> b) {
        return into(fresh(a.type()), d -> and(d, a, b));
    }

    default <T extends Bits> Reg<T> and(Operand<T> a, long b) {
        return and(a, new Immediate<>(a.type(), b));
    }

    /** {@code d} = {@code a | b}. */
    default <T extends Bits> void or(Reg<T> d, Operand<T> a, Operand<T> b) {
        with(new Binary(IntegerOperation.OR, a.type().untyped(), d, a, b));
    }

    default <T extends Bits> Reg<T> or(Operand<T> a, Operand<T> b) {
        return into(fresh(a.type()), d -> or(d, a, b));
    }

    default <T extends Bits> Reg<T> or(Operand<T> a, long b) {
        return or(a, new Immediate<>(a.type(), b));
    }

    /** {@code d} = {@code a ^ b}. */
    default <T extends Bits> void xor(Reg<T> d, Operand<T> a, Operand<T> b) {
        with(new Binary(IntegerOperation.XOR, a.type().untyped(), d, a, b));
    }

    default <T extends Bits> void xor(Reg<T> d, Operand<T> a, long b) {
        xor(d, a, new Immediate<>(a.type(), b));
    }

    default <T extends Bits> Reg<T> xor(Operand<T> a, Operand<T> b) {
        return into(fresh(a.type()), d -> xor(d, a, b));
    }

    default <T extends Bits> Reg<T> xor(Operand<T> a, long b) {
        return xor(a, new Immediate<>(a.type(), b));
    }

    /** {@code d} = a shifted left by b bits. */
    default <T extends Bits> void shl(Reg<T> d, Operand<T> a, Operand<B32> b) {
        with(new Binary(IntegerOperation.SHL, a.type().untyped(), d, a, b));
    }

    default <T extends Bits> Reg<T> shl(Operand<T> a, Operand<B32> b) {
        return into(fresh(a.type()), d -> shl(d, a, b));
    }

    default <T extends Bits> Reg<T> shl(Operand<T> a, int b) {
        return shl(a, Immediate.b32(b));
    }

    /** {@code d} = a shifted right by b bits, zeros come in. */
    default <T extends Bits> void shr(Reg<T> d, Operand<T> a, Operand<B32> b) {
        with(new Binary(IntegerOperation.SHR, a.type().unsigned(), d, a, b));
    }

    default <T extends Bits> Reg<T> shr(Operand<T> a, Operand<B32> b) {
        return into(fresh(a.type()), d -> shr(d, a, b));
    }

    default <T extends Bits> Reg<T> shr(Operand<T> a, int b) {
        return shr(a, Immediate.b32(b));
    }
}
