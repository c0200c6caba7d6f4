package dev.tilewright.model.problem;

import java.util.List;

/**
 * One GEMM of any number of rows within a range.
 *
 * @param range its extents
 * @param like says types, layouts, epilogue and scales; its shape does not count
 */
public record RangedProblem(ShapeRange range, Problem like) {

    /** The problem with so many rows. */
    public Problem at(int m) {
        return like.of(List.of(range.at(m)), 1);
    }
}
