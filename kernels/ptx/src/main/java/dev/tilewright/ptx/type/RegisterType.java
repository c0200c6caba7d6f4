package dev.tilewright.ptx.type;

/**
 * The type of a register for the Java compiler. Signedness belongs to the instruction (as in PTX, where integers and
 * bits of one size agree), so there is one type per size; floats are apart.
 */
public sealed interface RegisterType {
    /** A predicate, one bit per thread. */
    non-sealed interface Pred extends RegisterType {}

    /** Integers and untyped bits that arithmetic works on. */
    sealed interface Bits extends RegisterType {}

    /** Floating point. */
    sealed interface Floating extends RegisterType {}

    /** 16 bits: u16, s16, f16 or bf16 patterns, multicast masks. */
    non-sealed interface B16 extends Bits {}

    /** 32 bits: u32, s32, shared addresses, packed pairs of halves. */
    non-sealed interface B32 extends Bits {}

    /** 64 bits: u64, s64, global and generic addresses, matrix descriptors, cache policies. */
    non-sealed interface B64 extends Bits {}

    /** 128 bits, needs PTX ISA 8.3. */
    non-sealed interface B128 extends RegisterType {}

    /** One single-precision value. */
    non-sealed interface F32 extends Floating {}

    /** One double-precision value. */
    non-sealed interface F64 extends Floating {}
}
