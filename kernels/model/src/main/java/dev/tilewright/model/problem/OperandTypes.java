package dev.tilewright.model.problem;

/** Element types of the inputs A and B and of the output D. */
public record OperandTypes(DataType a, DataType b, DataType d) {

    /** One type for all three operands. */
    public static OperandTypes all(DataType type) {
        return new OperandTypes(type, type, type);
    }

    /**
     * What is meant where only one type is named: that of A and B. D has it too, but bf16 if it has 8 bits, for sums do
     * not fit in those.
     */
    public static OperandTypes of(DataType inputs) {
        return new OperandTypes(inputs, inputs, inputs.bytes() == 1 ? DataType.BF16 : inputs);
    }
}
