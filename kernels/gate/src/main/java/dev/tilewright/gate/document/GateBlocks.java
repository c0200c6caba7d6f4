package dev.tilewright.gate.document;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import dev.tilewright.model.trial.Discard;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The raw blocks of a run. */
public record GateBlocks(UUID run, List<OfStage> stages) {

    public GateBlocks {
        stages = List.copyOf(stages);
    }

    /**
     * The blocks of one stage of a case.
     *
     * @param sentinel {@code equal} or {@code slowed}; {@code null} of a case of the request
     * @param number 1, or 2 for those that confirm; 3 has the kernel of {@link Retune} in place of the candidate
     * @param seed of the orders and the data
     * @param discards blocks that do not count, with their reasons; their durations are kept, too
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record OfStage(
            @JsonProperty("case") String caseName,
            @Nullable String sentinel,
            int number,
            long seed,
            Columns blocks,
            List<Discard> discards) {}

    /**
     * Blocks, column by column: the same index in each list is the same block.
     *
     * @param candidateFirst whether the candidate ran before the baseline
     * @param candidateNs duration of a launch
     * @param candidateMhz SM clock; {@code null} where it could not be read, as are watts and degrees
     * @param throttleReasons of both, as the bits of {@code nvmlClocksEventReasons}
     */
    public record Columns(
            List<Integer> index,
            List<Boolean> candidateFirst,
            List<Double> candidateNs,
            List<Double> baselineNs,
            List<@Nullable Double> candidateMhz,
            List<@Nullable Double> baselineMhz,
            List<@Nullable Double> watts,
            List<@Nullable Double> celsius,
            List<Long> throttleReasons) {

        /** None. */
        public static final Columns NONE = new Columns(
                List.of(), List.of(), List.of(), List.of(), List.of(), List.of(), List.of(), List.of(), List.of());
    }
}
