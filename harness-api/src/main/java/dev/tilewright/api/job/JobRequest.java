package dev.tilewright.api.job;

import dev.tilewright.model.exchange.DeviceSelector;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.OperandMajors;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.problem.Scenario;
import dev.tilewright.model.space.ParameterValue;
import io.swagger.v3.oas.annotations.media.Schema;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a user submits; everything but {@code problems} may be left out.
 *
 * @param family if left out, the one for the architecture of the device, or the usual one where that is not known
 * @param schedulers the only tile schedulers to try; all of the family if left out
 * @param parameters for each named parameter, the only values to try
 * @param check whether each kernel text must be proved on the emulator before it may run
 */
public record JobRequest(
        @Nullable String name,
        List<ProblemRequest> problems,

        @Schema(
                description = "a kernel family, of which an unknown one is refused with the names that there are; if"
                        + " left out, the one for the architecture of the device")
        @Nullable
        String family,

        @Schema(description = "the only tile schedulers to try, of those that the family has; all if left out")
        @Nullable
        List<String> schedulers,

        @Nullable Map<String, List<ParameterValue>> parameters,

        @Schema(
                defaultValue = "default",
                description = "default: the values that have earned their place; full: every value that can be built")
        @Nullable
        String space,

        @Schema(defaultValue = "model") @Nullable String strategy,
        @Nullable BudgetRequest budget,
        @Schema(defaultValue = "1") @Nullable Long seed,

        @Schema(defaultValue = "auto", description = DeviceSelector.FORMS) @Nullable
        String device,

        @Schema(defaultValue = "false") @Nullable Boolean check) {

    /** A problem in short (m, n, k, dtype) or in full (groups and so on), never both. */
    public record ProblemRequest(
            @Nullable Integer m,
            @Nullable Integer n,
            @Nullable Integer k,
            @Schema(defaultValue = "bf16") @Nullable DataType dtype,
            @Nullable List<ShapeRequest> groups,
            @Schema(defaultValue = "1") @Nullable Integer batch,
            @Nullable OperandTypes types,
            @Nullable OperandMajors major,
            @Nullable Scenario scenario) {}

    /** Extents of one group. */
    public record ShapeRequest(Integer m, Integer n, Integer k) {}

    /** Limits of each study. */
    public record BudgetRequest(
            @Schema(
                    description =
                            "exactly so many, or the whole space; without it the study stops when no more is to be gained")
            @Nullable
            Integer trials,

            @Nullable Integer seconds,

            @Schema(defaultValue = "1", description = "kernels that reach the final") @Nullable
            Integer finalists) {}
}
