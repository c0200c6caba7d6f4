package dev.tilewright.ptx;

import dev.tilewright.ptx.instruction.Arithmetic.Binary;
import dev.tilewright.ptx.instruction.Arithmetic.BitFieldExtract;
import dev.tilewright.ptx.instruction.Arithmetic.IntegerOperation;
import dev.tilewright.ptx.instruction.Arithmetic.IntegerUnaryOperation;
import dev.tilewright.ptx.instruction.Arithmetic.Lop3;
import dev.tilewright.ptx.instruction.Arithmetic.Unary;
import dev.tilewright.ptx.instruction.BitField.Permute;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.Bits;
import dev.tilewright.ptx.type.ScalarType;
import java.util.Optional;

/** Short forms for bits, with the conventions of {@link IntegerCode}. */
public interface BitCode extends Emitter {
    /** {@code d} = {@code a & b}. */
    default <T extends Bits> void and(Reg<T> d, Operand<T> a, Operand<T> b) {
        with(new Binary(IntegerOperation.AND, a.type().untyped(), d, a, b));
    }

    default <T extends Bits> Reg<T> and(Operand<T> a, Operand<T> b) {
        Reg<T> d = fresh(a.type());
        and(d, a, b);
        return d;
    }

    default <T extends Bits> Reg<T> and(Operand<T> a, long b) {
        return and(a, new Immediate<>(a.type(), b));
    }

    /** {@code d} = {@code a | b}. */
    default <T extends Bits> void or(Reg<T> d, Operand<T> a, Operand<T> b) {
        with(new Binary(IntegerOperation.OR, a.type().untyped(), d, a, b));
    }

    default <T extends Bits> Reg<T> or(Operand<T> a, Operand<T> b) {
        Reg<T> d = fresh(a.type());
        or(d, a, b);
        return d;
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
        Reg<T> d = fresh(a.type());
        xor(d, a, b);
        return d;
    }

    default <T extends Bits> Reg<T> xor(Operand<T> a, long b) {
        return xor(a, new Immediate<>(a.type(), b));
    }

    /** {@code d} = a shifted left by b bits. */
    default <T extends Bits> void shl(Reg<T> d, Operand<T> a, Operand<B32> b) {
        with(new Binary(IntegerOperation.SHL, a.type().untyped(), d, a, b));
    }

    default <T extends Bits> Reg<T> shl(Operand<T> a, Operand<B32> b) {
        Reg<T> d = fresh(a.type());
        shl(d, a, b);
        return d;
    }

    default <T extends Bits> Reg<T> shl(Operand<T> a, int b) {
        return shl(a, Immediate.b32(b));
    }

    /** {@code d} = a shifted right by b bits, zeros come in. */
    default <T extends Bits> void shr(Reg<T> d, Operand<T> a, Operand<B32> b) {
        with(new Binary(IntegerOperation.SHR, a.type().unsigned(), d, a, b));
    }

    default <T extends Bits> Reg<T> shr(Operand<T> a, Operand<B32> b) {
        Reg<T> d = fresh(a.type());
        shr(d, a, b);
        return d;
    }

    default <T extends Bits> Reg<T> shr(Operand<T> a, int b) {
        return shr(a, Immediate.b32(b));
    }

    /** {@code d} = a shifted right by b bits, the sign comes in. */
    default <T extends Bits> void shrSigned(Reg<T> d, Operand<T> a, Operand<B32> b) {
        with(new Binary(IntegerOperation.SHR, a.type().signed(), d, a, b));
    }

    default <T extends Bits> Reg<T> shrSigned(Operand<T> a, Operand<B32> b) {
        Reg<T> d = fresh(a.type());
        shrSigned(d, a, b);
        return d;
    }

    default <T extends Bits> Reg<T> shrSigned(Operand<T> a, int b) {
        return shrSigned(a, Immediate.b32(b));
    }

    /** {@code ~a}. */
    default <T extends Bits> Reg<T> not(Operand<T> a) {
        Reg<T> d = fresh(a.type());
        with(new Unary(IntegerUnaryOperation.NOT, a.type().untyped(), d, a));
        return d;
    }

    /** Number of ones. */
    default <T extends Bits> Reg<B32> popc(Operand<T> a) {
        Reg<B32> d = b32();
        with(new Unary(IntegerUnaryOperation.POPC, a.type().untyped(), d, a));
        return d;
    }

    /** Any bitwise function of three inputs, by its truth table 0..255 (0x96 = xor of three). */
    default Reg<B32> lop3(Operand<B32> a, Operand<B32> b, Operand<B32> c, int table) {
        Reg<B32> d = b32();
        with(new Lop3(d, a, b, c, table));
        return d;
    }

    /** Four of the eight bytes {b,a}, picked by the nibbles of the selector. */
    default Reg<B32> prmt(Operand<B32> a, Operand<B32> b, int selector) {
        Reg<B32> d = b32();
        with(new Permute(Optional.empty(), d, a, b, Immediate.b32(selector)));
        return d;
    }

    /** {@code length} bits of a from bit {@code position}, unsigned. */
    default Reg<B32> bfe(Operand<B32> a, int position, int length) {
        Reg<B32> d = b32();
        with(new BitFieldExtract(ScalarType.U32, d, a, Immediate.b32(position), Immediate.b32(length)));
        return d;
    }
}
