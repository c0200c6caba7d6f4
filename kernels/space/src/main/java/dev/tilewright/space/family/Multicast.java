package dev.tilewright.space.family;

import dev.tilewright.model.space.Config;

/** What the CTAs of a cluster load for each other. */
public enum Multicast {
    NONE("none", false, false),
    /** Rows of A, which the CTAs along N need. */
    A("a", true, false),
    /** Rows of B, which the CTAs along M need. */
    B("b", false, true),
    BOTH("both", true, true);

    private final String value;
    private final boolean ofA;
    private final boolean ofB;

    Multicast(String value, boolean ofA, boolean ofB) {
        this.value = value;
        this.ofA = ofA;
        this.ofB = ofB;
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

    /** Whether rows of A are loaded for others too, if there are any. */
    public boolean ofA() {
        return ofA;
    }

    /** Whether rows of B are loaded for others too, if there are any. */
    public boolean ofB() {
        return ofB;
    }

    @Override
    public String toString() {
        return value;
    }
}
