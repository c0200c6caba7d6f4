package dev.tilewright.model.problem;

import java.util.Arrays;
import java.util.Locale;

/** The dimension of an operand whose neighbours are neighbours in memory; written in lower case. */
public enum Major {
    M,
    N,
    K;

    /**
     * Reads one.
     *
     * @throws IllegalArgumentException naming the text and the known ones
     */
    public static Major parse(String text) {
        return Arrays.stream(values())
                .filter(major -> major.toString().equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("unknown dimension '" + text + "'; known: m, n, k"));
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
