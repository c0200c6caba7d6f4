package dev.tilewright.worker.cli;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.OperandMajors;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.problem.Scenario;
import dev.tilewright.model.space.ParameterValue;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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
     * One GEMM; its types are said by one name or by three, its layouts where they are not the default.
     *
     * @param scenario {@code null} if it has the GPU to itself
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record ShortProblem(
            int m,
            int n,
            int k,
            @Nullable DataType dtype,
            @Nullable OperandTypes types,
            @Nullable OperandMajors major,
            @Nullable Scenario scenario) {

        /** @param dtype empty if the types are three */
        static ShortProblem of(
                ProblemShape shape,
                Optional<DataType> dtype,
                OperandTypes types,
                OperandMajors majors,
                Scenario scenario) {
            return new ShortProblem(
                    shape.m(),
                    shape.n(),
                    shape.k(),
                    dtype.orElse(null),
                    dtype.isPresent() ? null : types,
                    majors.equals(OperandMajors.DEFAULT) ? null : majors,
                    scenario.equals(Scenario.QUIET) ? null : scenario);
        }
    }

    /** Limits of a study. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Budget(
            @Nullable Integer trials,
            @Nullable Integer seconds,
            @Nullable Integer finalists) {}
}
