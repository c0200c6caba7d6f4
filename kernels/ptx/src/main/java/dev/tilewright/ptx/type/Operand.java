package dev.tilewright.ptx.type;

/** A value that an instruction reads: a register or a constant. */
public sealed interface Operand<T extends RegisterType> permits Reg, Immediate {
    /** The declared type of the register, or the type of the constant. */
    ScalarType type();
}
