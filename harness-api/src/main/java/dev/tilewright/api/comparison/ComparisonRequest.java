package dev.tilewright.api.comparison;

import dev.tilewright.model.exchange.ProblemDocument;
import dev.tilewright.model.space.ParameterValue;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Asks for a comparison.
 *
 * @param problem {@code null} for that of a trial among the two
 * @param family of configs; {@code null} for that of a trial among the two, else that of the device
 * @param device a GPU; {@code null} for any
 * @param measureEqual whether two kernels with the same module and launch are timed all the same
 * @param seed of the input data
 */
record ComparisonRequest(
        @Nullable ProblemDocument problem,
        @Nullable String family,
        SideRequest first,
        SideRequest second,
        @Nullable String device,
        @Nullable Boolean measureEqual,
        @Nullable Long seed) {

    /**
     * One of the two kernels: a config, a trial's, or a peer's.
     *
     * @param algorithm which kernel of the peer; {@code null} for the one that it would choose by itself
     */
    record SideRequest(
            @Nullable Map<String, ParameterValue> config,
            @Nullable UUID trial,
            @Nullable String peer,
            @Nullable String algorithm) {}
}
