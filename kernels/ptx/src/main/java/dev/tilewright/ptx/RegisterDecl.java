package dev.tilewright.ptx;

import dev.tilewright.ptx.type.ScalarType;

/** Declares one register {@code name}, or with {@code count} above 0 the registers {@code name0..name(count-1)}. */
public record RegisterDecl(ScalarType type, String name, int count) {
    /** How many registers. */
    public int registers() {
        return Math.max(1, count);
    }
}
