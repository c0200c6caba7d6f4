package dev.tilewright.worker.cli;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.tilewright.model.problem.DataType;
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
        @Nullable String strategy,
        Budget budget,
        @Nullable Long seed,
        String device,
        @Nullable Boolean check) {

    /**
     * A plain GEMM.
     *
     * @param scenario {@code null} if it has the GPU to itself
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record ShortProblem(
            int m, int n, int k, DataType dtype, @Nullable Scenario scenario) {

        ShortProblem(ProblemShape shape, DataType dtype, Scenario scenario) {
            this(shape.m(), shape.n(), shape.k(), dtype, scenario.equals(Scenario.QUIET) ? null : scenario);
        }
    }

    /** Limits of a study. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Budget(
            @Nullable Integer trials,
            @Nullable Integer seconds,
            @Nullable Integer finalists) {}
}
