package dev.tilewright.model.exchange;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.tilewright.model.space.ParameterValue;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The request that a user submits; everything but {@code problems} may be left out.
 *
 * @param name for people: lists show it, and can be searched for it
 * @param problems what is to be tuned
 * @param parameters for each named parameter, the only values to try
 * @param config the only config to try, such as {@code static 128x256x64 s4 groupedM8 coop2}: words of the family,
 *     perhaps behind its name, or {@code name=value} pairs; what is missing has the default of the family
 * @param strategy how the next config is chosen: {@code exhaustive}, {@code model} or {@code random}
 * @param budget when each study stops
 * @param seed of the input data and of every draw
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

        @JsonProperty(defaultValue = "false")
        @JsonPropertyDescription(
                "whether each tile scheduler is tuned on its own: each has an equal part of the trials,"
                        + " and its fastest kernels are in the final beside those of the others")
        @Nullable
        Boolean eachScheduler,

        @Nullable Map<String, List<ParameterValue>> parameters,

        @Nullable String config,

        @JsonProperty(defaultValue = "default")
        @JsonPropertyDescription("default: the values that have won before; full: every value that can be built")
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
        List<String> peers,

        @JsonProperty(defaultValue = "3")
        @JsonPropertyDescription("seconds of GPU, from 0 to 60, in which each final looks for faster kernels among all"
                + " algorithms of the vendor's library; 0 leaves it at those that the library returns by itself")
        @Nullable
        Double peerBudget,

        @JsonProperty(defaultValue = "8")
        @JsonPropertyDescription("kernels of the table of each range of M at the most, from 1 to 32: more kernels lose"
                + " less time where tiles of many heights fit best")
        @Nullable
        Integer kernels) {

    /** The search strategies of a service, in the order in which they are listed to users. */
    public static final List<String> STRATEGIES = List.of("exhaustive", "model", "random");

    /** Says the problems, and what is added of the rest: who leaves an option out need not know that it is there. */
    public static Builder of(List<ProblemDocument> problems) {
        return new Builder(problems);
    }

    /** A request that is being put together. */
    public static final class Builder {

        private final List<ProblemDocument> problems;
        private @Nullable String name;
        private @Nullable String family;
        private @Nullable List<String> schedulers;
        private @Nullable Boolean eachScheduler;
        private @Nullable Map<String, List<ParameterValue>> parameters;
        private @Nullable String config;
        private @Nullable String space;
        private @Nullable String strategy;
        private @Nullable BudgetRequest budget;
        private @Nullable Long seed;
        private @Nullable String device;
        private @Nullable Boolean check;
        private @Nullable List<String> peers;
        private @Nullable Double peerBudget;
        private @Nullable Integer kernels;

        private Builder(List<ProblemDocument> problems) {
            this.problems = problems;
        }

        public Builder name(@Nullable String value) {
            name = value;
            return this;
        }

        public Builder family(@Nullable String value) {
            family = value;
            return this;
        }

        public Builder schedulers(@Nullable List<String> value) {
            schedulers = value;
            return this;
        }

        public Builder eachScheduler(@Nullable Boolean value) {
            eachScheduler = value;
            return this;
        }

        public Builder parameters(@Nullable Map<String, List<ParameterValue>> value) {
            parameters = value;
            return this;
        }

        public Builder config(@Nullable String value) {
            config = value;
            return this;
        }

        public Builder space(@Nullable String value) {
            space = value;
            return this;
        }

        public Builder strategy(@Nullable String value) {
            strategy = value;
            return this;
        }

        public Builder budget(@Nullable BudgetRequest value) {
            budget = value;
            return this;
        }

        public Builder seed(@Nullable Long value) {
            seed = value;
            return this;
        }

        public Builder device(@Nullable String value) {
            device = value;
            return this;
        }

        public Builder check(@Nullable Boolean value) {
            check = value;
            return this;
        }

        public Builder peers(@Nullable List<String> value) {
            peers = value;
            return this;
        }

        public Builder peerBudget(@Nullable Double value) {
            peerBudget = value;
            return this;
        }

        public Builder kernels(@Nullable Integer value) {
            kernels = value;
            return this;
        }

        public JobRequest build() {
            return new JobRequest(
                    name,
                    problems,
                    family,
                    schedulers,
                    eachScheduler,
                    parameters,
                    config,
                    space,
                    strategy,
                    budget,
                    seed,
                    device,
                    check,
                    peers,
                    peerBudget,
                    kernels);
        }
    }

    /**
     * Limits of each study.
     *
     * @param seconds the study asks for no further config after devices have worked on it for so many; time in which
     *     they work on other studies does not count
     */
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
