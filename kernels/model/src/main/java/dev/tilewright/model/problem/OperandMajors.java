package dev.tilewright.model.problem;

/**
 * Layout of A ({@code k} or {@code m}), B ({@code k} or {@code n}) and D ({@code n}, which is row-major, or {@code m}).
 *
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
}
