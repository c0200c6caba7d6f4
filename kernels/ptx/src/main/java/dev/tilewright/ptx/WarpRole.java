package dev.tilewright.ptx;

import java.util.Optional;

/**
 * The part of a kernel that some of its warps execute alone.
 *
 * @param warps how many, beginning with {@code firstWarp}
 * @param firstStatement index in the entry's body where the part begins
 * @param endStatement index behind its last statement
 * @param parent the role inside which this one lies
 */
public record WarpRole(
        String name, int firstWarp, int warps, int firstStatement, int endStatement, Optional<String> parent) {
    public WarpRole {
        if (firstWarp < 0 || warps < 1 || firstWarp + warps > 32) {
            throw new IllegalArgumentException(
                    "role " + name + ": warps must be in 0..31, got " + firstWarp + ".." + (firstWarp + warps - 1));
        }
    }

    public int lastWarp() {
        return firstWarp + warps - 1;
    }
}
