package dev.tilewright.worker.cli;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.OperandMajors;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.problem.Scenario;
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
        @Nullable String space,
        @Nullable String strategy,
        Budget budget,
        @Nullable Long seed,
        String device,
        @Nullable Boolean check) {

    /**
     * A problem: m, n and k of a plain or batched GEMM, or the groups. Its types are said by one name or by three, its
     * layouts where they are not the default.
     *
     * @param batch {@code null} if there is one of each
     * @param scenario {@code null} if it has the GPU to itself
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record ShortProblem(
            @Nullable Integer m,
            @Nullable Integer n,
            @Nullable Integer k,
            @Nullable List<ProblemShape> groups,
            @Nullable Integer batch,
            @Nullable DataType dtype,
            @Nullable OperandTypes types,
            @Nullable OperandMajors major,
            @Nullable Scenario scenario) {

        static ShortProblem of(Problem problem) {
            boolean plain = problem.groups().size() == 1;
            ProblemShape shape = problem.shape();
            OperandTypes types = problem.types();
            boolean oneName = types.equals(OperandTypes.of(types.a()));
            return new ShortProblem(
                    plain ? shape.m() : null,
                    plain ? shape.n() : null,
                    plain ? shape.k() : null,
                    plain ? null : problem.groups(),
                    problem.batch() == 1 ? null : problem.batch(),
                    oneName ? types.a() : null,
                    oneName ? null : types,
                    problem.major().equals(OperandMajors.DEFAULT) ? null : problem.major(),
                    problem.scenario().equals(Scenario.QUIET) ? null : problem.scenario());
        }
    }

    /** Limits of a study. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Budget(
            @Nullable Integer trials,
            @Nullable Integer seconds,
            @Nullable Integer finalists) {}
}
