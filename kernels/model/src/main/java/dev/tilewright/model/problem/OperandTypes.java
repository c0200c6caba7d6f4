package dev.tilewright.model.problem;

/** Element types of the inputs A and B and of the output D. */
public record OperandTypes(DataType a, DataType b, DataType d) {

    /** One type for all three operands. */
    public static OperandTypes all(DataType type) {
        return new OperandTypes(type, type, type);
    }
}
