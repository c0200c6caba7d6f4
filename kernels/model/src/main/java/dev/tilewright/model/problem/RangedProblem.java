package dev.tilewright.model.problem;

import java.util.List;

/**
 * One GEMM of any number of rows within a range.
 *
 * @param range its extents
 * @param like says types, layouts, epilogue and scales; its shape does not count
 * @throws IllegalArgumentException if there are several M, and rows of A or D do not lie one behind the other: then M
 *     would be a pitch, which must be a multiple of 16 bytes
 */
public record RangedProblem(ShapeRange range, Problem like) {

    public RangedProblem {
        OperandMajors major = like.major();
        if (range.least() < range.most() && (major.a() != Major.K || major.d() != Major.N)) {
            throw new IllegalArgumentException(
                    "a range of M needs A of major k and D of major n, got " + major.a() + " and " + major.d());
        }
    }

    /** The problem with the fewest rows. */
    public Problem least() {
        return at(range.least());
    }

    /** The problem with the most rows. */
    public Problem most() {
        return at(range.most());
    }

    /** The problem with so many rows. */
    public Problem at(int m) {
        return like.of(List.of(range.at(m)), 1);
    }
}
