package dev.tilewright.api.study;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Problem;

/**
 * A problem in short and in full: m, n, k and dtype are those of the first group and of A.
 *
 * @param full groups, batch, types, major and scenario
 */
public record ProblemDocument(
        int m, int n, int k, DataType dtype, @JsonUnwrapped Problem full) {

    /** Both forms of a problem. */
    public static ProblemDocument of(Problem problem) {
        return new ProblemDocument(
                problem.shape().m(),
                problem.shape().n(),
                problem.shape().k(),
                problem.types().a(),
                problem);
    }
}
