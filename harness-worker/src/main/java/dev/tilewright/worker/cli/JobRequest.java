package dev.tilewright.worker.cli;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.space.ParameterValue;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Body of {@code POST /api/v1/jobs}: what is {@code null} or empty is left to the API's defaults. */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
record JobRequest(
        @Nullable String name,
        List<ShortProblem> problems,
        @Nullable String family,
        List<String> schedulers,
        Map<String, List<ParameterValue>> parameters,
        @Nullable String strategy,
        Budget budget,
        @Nullable Long seed,
        String device,
        @Nullable Boolean check) {

    /**
     * A problem: m, n and k of a plain or batched GEMM, or the groups.
     *
     * @param batch {@code null} if there is one of each
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record ShortProblem(
            @Nullable Integer m,
            @Nullable Integer n,
            @Nullable Integer k,
            @Nullable List<ProblemShape> groups,
            @Nullable Integer batch,
            DataType dtype) {

        /** A problem of the types that one name stands for. */
        static ShortProblem of(Problem problem) {
            Integer batch = problem.batch() == 1 ? null : problem.batch();
            DataType dtype = problem.types().a();
            if (problem.groups().size() > 1) {
                return new ShortProblem(null, null, null, problem.groups(), batch, dtype);
            }
            ProblemShape shape = problem.shape();
            return new ShortProblem(shape.m(), shape.n(), shape.k(), null, batch, dtype);
        }
    }

    /** Limits of a study. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Budget(@Nullable Integer trials, @Nullable Integer seconds) {}
}
