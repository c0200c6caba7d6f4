package dev.tilewright.model.exchange;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.tilewright.model.space.ParameterValue;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a user submits; everything but {@code problems} may be left out.
 *
 * @param parameters for each named parameter, the only values to try
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record JobRequest(
        @Nullable String name,
        List<ProblemDocument> problems,

        @JsonPropertyDescription("a kernel family, of which an unknown one is refused with the names that there are; if"
                + " left out, the one for the architecture of the device")
        @Nullable
        String family,

        @JsonPropertyDescription("the only tile schedulers to try, of those that the family has; all if left out")
        @Nullable
        List<String> schedulers,

        @Nullable Map<String, List<ParameterValue>> parameters,

        @JsonProperty(defaultValue = "default")
        @JsonPropertyDescription(
                "default: the values that have earned their place; full: every value that can be built")
        @Nullable
        String space,

        @JsonProperty(defaultValue = "model") @Nullable String strategy,
        @Nullable BudgetRequest budget,
        @JsonProperty(defaultValue = "1") @Nullable Long seed,

        @JsonProperty(defaultValue = "auto") @JsonPropertyDescription(DeviceSelector.FORMS) @Nullable
        String device,

        @JsonProperty(defaultValue = "false")
        @JsonPropertyDescription("whether each kernel text must be proved on the emulator before it may run")
        @Nullable
        Boolean check,

        @JsonPropertyDescription(
                "further families, above all bundles, whose kernels run in each final beside those that"
                        + " run in it anyway; they compute the same, and have at most 16 kernels each")
        @Nullable
        List<String> peers) {

    /** The search strategies of a service, in the order in which they are listed to users. */
    public static final List<String> STRATEGIES = List.of("exhaustive", "model", "random");

    /** Limits of each study. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record BudgetRequest(
            @JsonPropertyDescription(
                    "exactly so many, or the whole space; without it the study stops when no more is to be" + " gained")
            @Nullable
            Integer trials,

            @Nullable Integer seconds,

            @JsonProperty(defaultValue = "1") @JsonPropertyDescription("kernels that reach the final") @Nullable
            Integer finalists) {}
}
