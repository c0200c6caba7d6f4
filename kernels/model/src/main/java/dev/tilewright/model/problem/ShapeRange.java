package dev.tilewright.model.problem;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The extents of D[M,N] = A[M,K] · B[N,K]ᵀ for every M of a range, in elements: the same weights with any number of
 * rows.
 *
 * @param least the fewest rows of A and D
 * @param most the most of them
 * @param n rows of B, columns of D
 * @param k columns of A and B
 * @throws IllegalArgumentException if an extent is outside 1..2^31-1, or the least M is above the most
 */
public record ShapeRange(int least, int most, int n, int k) {

    private static final Pattern TEXT = Pattern.compile("(\\d{1,20})-(\\d{1,20})x(\\d{1,20})x(\\d{1,20})");

    public ShapeRange {
        if (least < 1) {
            throw new IllegalArgumentException("the least M of a range must be at least 1, got " + least);
        }
        if (most < least) {
            throw notBelow(least, most);
        }
        new ProblemShape(least, n, k);
    }

    /**
     * A range that somebody asks for.
     *
     * @throws IllegalArgumentException also if it has one M alone, which is a shape
     */
    public static ShapeRange asked(int least, int most, int n, int k) {
        ShapeRange range = new ShapeRange(least, most, n, k);
        if (most == least) {
            throw notBelow(least, most);
        }
        return range;
    }

    private static IllegalArgumentException notBelow(int least, int most) {
        return new IllegalArgumentException("the least M of a range must be below the most, got " + least + "-" + most);
    }

    /** Whether a text means a range, right or wrong: its M has two numbers. */
    public static boolean isMeant(String text) {
        return TEXT.matcher(text).matches();
    }

    /**
     * Reads {@code LEAST-MOSTxNxK}.
     *
     * @throws IllegalArgumentException naming the text and the rule
     */
    public static ShapeRange parse(String text) {
        Matcher matcher = TEXT.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "a range of M is LEAST-MOSTxNxK, such as 1-4096x1024x768, got '" + text + "'");
        }
        return asked(extent(matcher, 1), extent(matcher, 2), extent(matcher, 3), extent(matcher, 4));
    }

    private static int extent(Matcher matcher, int group) {
        try {
            return Integer.parseInt(matcher.group(group));
        } catch (NumberFormatException tooLarge) {
            throw new IllegalArgumentException(
                    "an extent must be at most 2147483647, got " + matcher.group(group), tooLarge);
        }
    }

    /**
     * The shape with so many rows.
     *
     * @throws IllegalArgumentException if the range does not have them
     */
    public ProblemShape at(int m) {
        if (m < least || m > most) {
            throw new IllegalArgumentException("M must be from " + least + " to " + most + ", got " + m);
        }
        return new ProblemShape(m, n, k);
    }

    @Override
    public String toString() {
        return least + "-" + most + "x" + n + "x" + k;
    }
}
