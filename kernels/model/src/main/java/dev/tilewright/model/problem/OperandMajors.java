package dev.tilewright.model.problem;

import java.util.stream.Stream;

/**
 * Layout of A ({@code k} or {@code m}), B ({@code k} or {@code n}) and D ({@code n}, which is row-major, or {@code m}).
 *
 * @param a of A
 * @param b of B
 * @param d of D
 * @throws IllegalArgumentException if an operand does not have the dimension
 */
public record OperandMajors(Major a, Major b, Major d) {

    /** K-major inputs and a row-major output. */
    public static final OperandMajors DEFAULT = new OperandMajors(Major.K, Major.K, Major.N);

    public OperandMajors {
        if (a == Major.N) {
            throw new IllegalArgumentException("major.a must be k or m: A is M x K, got n");
        }
        if (b == Major.M) {
            throw new IllegalArgumentException("major.b must be k or n: B is N x K, got m");
        }
        if (d == Major.K) {
            throw new IllegalArgumentException("major.d must be n or m: D is M x N, got k");
        }
    }

    /** The dimension of an input. */
    public Major of(OperandRole role) {
        return switch (role) {
            case A -> a;
            case B -> b;
        };
    }

    /**
     * Reads the majors of A and B, and perhaps of D, such as {@code m,k} or {@code m,k,n}.
     *
     * @throws IllegalArgumentException naming the text and the rule
     */
    public static OperandMajors parse(String text) {
        String[] names = Stream.of(text.split(",", -1)).map(String::strip).toArray(String[]::new);
        if (names.length != 2 && names.length != 3) {
            throw new IllegalArgumentException(
                    "must be the majors of A and B, and perhaps of D, such as m,k or m,k,n, got '" + text + "'");
        }
        return new OperandMajors(
                Major.parse(names[0]), Major.parse(names[1]), names.length == 2 ? DEFAULT.d() : Major.parse(names[2]));
    }
}
