package dev.tilewright.space.parameter;

import dev.tilewright.model.problem.OperandRole;

/** The operand that the loads ask L2 to keep longer than the other. */
public enum L2Hint {
    /** Both alike. */
    NONE("none"),
    /** A is kept, B goes first: for few rows, where every CTA reads all of A and B is read once. */
    KEEP_A("keepA"),
    /** B is kept, A goes first. */
    KEEP_B("keepB");

    private final String value;

    L2Hint(String value) {
        this.value = value;
    }

    /** Whether it asks for an operand to stay. */
    public boolean keeps(OperandRole role) {
        return switch (role) {
            case A -> this == KEEP_A;
            case B -> this == KEEP_B;
        };
    }

    @Override
    public String toString() {
        return value;
    }
}
