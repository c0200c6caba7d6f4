package dev.tilewright.model.problem;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The three extents of D[M,N] = A[M,K] · B[N,K]ᵀ, in elements.
 *
 * @param m rows of A and D
 * @param n rows of B, columns of D
 * @param k columns of A and B
 * @throws IllegalArgumentException if an extent is outside 1..2^31-1
 */
public record ProblemShape(int m, int n, int k) {

    private static final Pattern TEXT = Pattern.compile("(\\d{1,10})x(\\d{1,10})x(\\d{1,10})");

    public ProblemShape {
        requirePositive("m", m);
        requirePositive("n", n);
        requirePositive("k", k);
    }

    private static void requirePositive(String name, int value) {
        if (value < 1) {
            throw new IllegalArgumentException(name + " must be at least 1, got " + value);
        }
    }

    /**
     * Reads {@code MxNxK}.
     *
     * @throws IllegalArgumentException naming the text and the rule
     */
    public static ProblemShape parse(String text) {
        Matcher matcher = TEXT.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("a shape is MxNxK, such as 2048x1024x768, got '" + text + "'");
        }
        try {
            return new ProblemShape(
                    Integer.parseInt(matcher.group(1)),
                    Integer.parseInt(matcher.group(2)),
                    Integer.parseInt(matcher.group(3)));
        } catch (NumberFormatException tooLarge) {
            throw new IllegalArgumentException("an extent must be at most 2147483647, got '" + text + "'", tooLarge);
        }
    }

    /** The extent along a dimension. */
    public int along(Major dimension) {
        return switch (dimension) {
            case M -> m;
            case N -> n;
            case K -> k;
        };
    }

    /** Floating-point operations: one multiplication and one addition for each of M·N·K products. */
    public double flops() {
        return 2.0 * m * n * k;
    }

    @Override
    public String toString() {
        return m + "x" + n + "x" + k;
    }
}
