package dev.tilewright.ptx.instruction;

import dev.tilewright.ptx.type.Address;
import dev.tilewright.ptx.type.Label;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.ptx.type.StateSpace;

/** Visits the operands of an instruction; every method does nothing until overridden. */
public interface OperandVisitor {
    /** A value read as {@code type}; the sizes must agree. */
    default void read(Operand<?> operand, ScalarType type) {}

    /** Values read as {@code type}, in this order. */
    default void reads(ScalarType type, Operand<?>... operands) {
        for (Operand<?> operand : operands) {
            read(operand, type);
        }
    }

    /** A register written as {@code type}; the sizes must agree. */
    default void write(Reg<?> register, ScalarType type) {}

    /** A value of which the low bits are read: the register may be wider than {@code type} (st, cvt). */
    default void readWide(Operand<?> operand, ScalarType type) {
        read(operand, type);
    }

    /** A register that may be wider than {@code type} (ld, cvt). */
    default void writeWide(Reg<?> register, ScalarType type) {
        write(register, type);
    }

    /** A memory operand. */
    default void address(Address address) {}

    /** The machine needs the address aligned; assemblers do not ask for it. */
    default void aligned(String what, Address address, int bytes) {}

    /** The machine needs the value, if it is a constant, in {@code low..high}; assemblers do not ask for it. */
    default void within(String what, Operand<?> value, long low, long high) {}

    /** A branch target. */
    default void target(Label label) {}

    /** The name of a variable whose address is taken. */
    default void symbol(String name, StateSpace space) {}
}
