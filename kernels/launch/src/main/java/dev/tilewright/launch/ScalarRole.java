package dev.tilewright.launch;

import java.util.Arrays;
import java.util.Optional;

/**
 * The meaning of a number that is passed to a kernel, where a program that launches the kernel passes another one
 * instead. Each is written as the parameters of our own kernels are called.
 */
public enum ScalarRole {
    /** The product of the per-tensor scales of 8-bit inputs. */
    SCALE("scale"),
    /** Clusters before the rounds of a deal of clusters to GPCs. */
    FIRST_DEALT("firstDealt"),
    /** GPCs that get a cluster in each round. */
    GPCS("gpcs"),
    /** How many of these rounds there are. */
    ROUNDS("rounds"),
    /** GPCs that get a cluster in each later round. */
    LATER_GPCS("laterGpcs"),
    /** How many later rounds there are. */
    LATER_ROUNDS("laterRounds");

    private final String text;

    ScalarRole(String text) {
        this.text = text;
    }

    /** The role of this name, if there is one. */
    public static Optional<ScalarRole> find(String name) {
        return Arrays.stream(values()).filter(role -> role.text.equals(name)).findFirst();
    }

    @Override
    public String toString() {
        return text;
    }
}
