package dev.tilewright.space.family;

import dev.tilewright.model.problem.OperandRole;
import dev.tilewright.model.space.Config;
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

    static Multicast of(Config config) {
        return NamedValue.of(values(), "multicast", config);
    }

    /**
     * Whether CTAs share both operands or none, for families that know nothing between.
     *
     * @throws IllegalArgumentException if a config says that they share one
     */
    static boolean bothOrNone(Config config) {
        return NamedValue.of(new Multicast[] {NONE, BOTH}, "multicast", config) == BOTH;
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
