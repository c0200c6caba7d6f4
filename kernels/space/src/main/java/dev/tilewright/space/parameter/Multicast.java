package dev.tilewright.space.parameter;

import dev.tilewright.model.problem.OperandRole;
import java.util.Set;

/** The operands that the CTAs of a cluster load for each other. */
public enum Multicast {
    NONE("none", Set.of()),
    /** Rows of A, which the CTAs along N need. */
    A("a", Set.of(OperandRole.A)),
    /** Rows of B, which the CTAs along M need. */
    B("b", Set.of(OperandRole.B)),
    BOTH("both", Set.of(OperandRole.values()));

    private final String value;
    private final Set<OperandRole> roles;

    Multicast(String value, Set<OperandRole> roles) {
        this.value = value;
        this.roles = roles;
    }

    /** Whether rows of an operand are loaded for others too, if there are any. */
    public boolean of(OperandRole role) {
        return roles.contains(role);
    }

    @Override
    public String toString() {
        return value;
    }
}
