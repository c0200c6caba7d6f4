package dev.tilewright.ptx;

import dev.tilewright.ptx.instruction.Convert.Cvt;
import dev.tilewright.ptx.instruction.Convert.Fp8ToHalves;
import dev.tilewright.ptx.instruction.Convert.FromGeneric;
import dev.tilewright.ptx.instruction.Convert.Options;
import dev.tilewright.ptx.instruction.Convert.Pair;
import dev.tilewright.ptx.instruction.Convert.ToFp8;
import dev.tilewright.ptx.instruction.Convert.ToGeneric;
import dev.tilewright.ptx.instruction.Move.AddressOf;
import dev.tilewright.ptx.instruction.Move.Copy;
import dev.tilewright.ptx.instruction.Move.Pack;
import dev.tilewright.ptx.instruction.Move.ReadSpecial;
import dev.tilewright.ptx.instruction.Move.Unpack;
import dev.tilewright.ptx.type.Element;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType;
import dev.tilewright.ptx.type.RegisterType.B16;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.B64;
import dev.tilewright.ptx.type.RegisterType.F32;
import dev.tilewright.ptx.type.Rounding;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.SpecialRegister;
import dev.tilewright.ptx.type.StateSpace;
import java.util.List;
import java.util.Optional;

/** Moves, special registers, addresses of variables, conversions. */
public interface MoveCode extends Emitter {
    /** {@code d = a}. */
    default <T extends RegisterType> void mov(Reg<T> d, Operand<T> a) {
        with(new Copy(d.type(), d, a));
    }

    /** {@code d = value}, for registers of integers. */
    default <T extends RegisterType.Bits> void mov(Reg<T> d, long value) {
        mov(d, new Immediate<>(d.type(), value));
    }

    /** A fresh register that holds a. */
    default <T extends RegisterType> Reg<T> mov(Operand<T> a) {
        return into(fresh(a.type()), d -> mov(d, a));
    }

    /** The bits of a float as an integer. */
    default Reg<B32> bitsOf(Reg<F32> a) {
        return into(b32(), d -> with(new Copy(ScalarType.B32, d, a)));
    }

    /** The float that has these bits. */
    default Reg<F32> floatOf(Reg<B32> a) {
        return into(f32(), d -> with(new Copy(ScalarType.B32, d, a)));
    }

    /** A 32-bit special register. */
    default Reg<B32> special(SpecialRegister special) {
        return into(b32(), d -> with(new ReadSpecial(d, special)));
    }

    /** A 64-bit special register: clock64 or globaltimer. */
    default Reg<B64> special64(SpecialRegister special) {
        return into(b64(), d -> with(new ReadSpecial(d, special)));
    }

    /** The start of a shared variable. */
    default Reg<B32> addressOf(SharedDecl variable) {
        return into(b32(), d -> with(new AddressOf(ScalarType.U32, d, variable.name(), StateSpace.SHARED, 0)));
    }

    /** {@code {low, high}} as 64 bits. */
    default Reg<B64> pack(Operand<B32> low, Operand<B32> high) {
        return into(b64(), d -> pack(d, low, high));
    }

    default void pack(Reg<B64> d, Operand<B32> low, Operand<B32> high) {
        with(new Pack(ScalarType.B64, d, List.of(low, high)));
    }

    /** {@code {low, high}} as 32 bits. */
    default Reg<B32> pack16(Operand<B16> low, Operand<B16> high) {
        return into(b32(), d -> with(new Pack(ScalarType.B32, d, List.of(low, high))));
    }

    /** Splits 64 bits. */
    default void unpack(Reg<B32> low, Reg<B32> high, Reg<B64> a) {
        with(new Unpack(ScalarType.B64, List.of(Optional.of(low), Optional.of(high)), a));
    }

    /** {@code d = (to) a}; see {@link Cvt} for which rounding goes where. */
    default void cvt(Rounding rounding, ScalarType to, ScalarType from, Reg<?> d, Operand<?> a) {
        with(new Cvt(rounding, Options.NONE, to, from, d, a));
    }

    /** Zero-extends to 64 bits. */
    default Reg<B64> widen(Operand<B32> a) {
        return into(b64(), d -> cvt(Rounding.NONE, ScalarType.U64, ScalarType.U32, d, a));
    }

    /** The low 16 bits, e.g. as a multicast mask. */
    default Reg<B16> narrow16(Operand<B32> a) {
        return into(b16(), d -> cvt(Rounding.NONE, ScalarType.U16, ScalarType.U32, d, a));
    }

    /** An unsigned integer as f32, rounded to nearest. */
    default Reg<F32> toFloat(Operand<B32> a) {
        return into(f32(), d -> cvt(Rounding.RN, ScalarType.F32, ScalarType.U32, d, a));
    }

    /** A signed integer as f32, rounded to nearest. */
    default Reg<F32> toFloatSigned(Operand<B32> a) {
        return into(f32(), d -> cvt(Rounding.RN, ScalarType.F32, ScalarType.S32, d, a));
    }

    /** bf16 to f32, exact. */
    default Reg<F32> floatOfBf16(Reg<B16> a) {
        return into(f32(), d -> cvt(Rounding.NONE, ScalarType.F32, ScalarType.BF16, d, a));
    }

    /** f32 to bf16, rounded to nearest even. */
    default Reg<B16> bf16Of(Operand<F32> a) {
        return into(b16(), d -> cvt(Rounding.RN, ScalarType.BF16, ScalarType.F32, d, a));
    }

    /** Two f32 as bf16x2 in memory order: {@code low} comes first. */
    default Reg<B32> bf16x2(Operand<F32> low, Operand<F32> high) {
        return into(b32(), d -> cvtPair(ScalarType.BF16X2, d, low, high));
    }

    /** Two f32 as bf16x2 or f16x2, rounded to nearest even; {@code low} in the low half. */
    default void cvtPair(ScalarType to, Reg<B32> d, Operand<F32> low, Operand<F32> high) {
        with(new Pair(Rounding.RN, Options.NONE, to, d, high, low));
    }

    /** Two f32 as 8-bit floats, rounded to nearest even and clamped to the largest; {@code low} in the low byte. */
    default Reg<B16> fp8Pair(Element to, Operand<F32> low, Operand<F32> high) {
        return into(b16(), d -> with(new ToFp8(to, false, d, high, low)));
    }

    /** Two 8-bit floats as f16x2, exact. */
    default Reg<B32> halvesOfFp8(Element from, Reg<B16> a) {
        return into(b32(), d -> with(new Fp8ToHalves(from, false, d, a)));
    }

    /** f16 to f32, exact. */
    default Reg<F32> floatOfF16(Reg<B16> a) {
        return into(f32(), d -> cvt(Rounding.NONE, ScalarType.F32, ScalarType.F16, d, a));
    }

    /** A generic address made a global one. */
    default Reg<B64> toGlobal(Operand<B64> a) {
        return into(b64(), d -> with(new FromGeneric(StateSpace.GLOBAL, d, a)));
    }

    /** The generic address of a parameter that is passed by value. */
    default Reg<B64> genericAddressOf(Param param) {
        Reg<B64> inSpace = b64();
        with(new AddressOf(ScalarType.U64, inSpace, param.name(), StateSpace.PARAM, 0));
        return into(b64(), d -> with(new ToGeneric(StateSpace.PARAM, d, inSpace)));
    }
}
