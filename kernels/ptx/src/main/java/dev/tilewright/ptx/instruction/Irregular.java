package dev.tilewright.ptx.instruction;

/** An instruction whose operands no line of the table of forms tells. */
public interface Irregular {
    /** Visits every operand, with the type that the instruction reads or writes it as, in the order of the text. */
    default void operands(OperandVisitor visitor) {}
}
