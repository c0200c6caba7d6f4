package dev.tilewright.api.comparison;

import dev.tilewright.api.asked.KernelRequest;
import dev.tilewright.model.exchange.ProblemDocument;
import org.jspecify.annotations.Nullable;

/**
 * Asks for a comparison.
 *
 * @param problem {@code null} for that of a trial among the two
 * @param device a GPU; {@code null} for any
 * @param measureEqual whether two kernels with the same module and launch are timed all the same
 * @param seed of the input data
 */
record ComparisonRequest(
        @Nullable ProblemDocument problem,
        KernelRequest first,
        KernelRequest second,
        @Nullable String device,
        @Nullable Boolean measureEqual,
        @Nullable Long seed) {}
