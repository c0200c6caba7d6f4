package dev.tilewright.model.problem;

import java.util.stream.Stream;

/**
 * Element types of the inputs A and B and of the output D.
 *
 * @param a of A
 * @param b of B
 * @param d of D
 */
public record OperandTypes(DataType a, DataType b, DataType d) {

    /**
     * What is meant where only one type is named: that of A and B. D has it too, but bf16 if it has 8 bits, for sums do
     * not fit in those.
     */
    public static OperandTypes of(DataType inputs) {
        return new OperandTypes(inputs, inputs, inputs.bytes() == 1 ? DataType.BF16 : inputs);
    }

    /** The type of an input. */
    public DataType of(OperandRole role) {
        return switch (role) {
            case A -> a;
            case B -> b;
        };
    }

    /**
     * Reads the types of A, B and D, such as {@code e4m3,e5m2,bf16}.
     *
     * @throws IllegalArgumentException naming the text and the rule
     */
    public static OperandTypes parse(String text) {
        String[] names = Stream.of(text.split(",", -1)).map(String::strip).toArray(String[]::new);
        if (names.length != 3) {
            throw new IllegalArgumentException(
                    "must be the types of A, B and D, such as e4m3,e5m2,bf16, got '" + text + "'");
        }
        return new OperandTypes(DataType.parse(names[0]), DataType.parse(names[1]), DataType.parse(names[2]));
    }
}
