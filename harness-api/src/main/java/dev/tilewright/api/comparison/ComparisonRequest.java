package dev.tilewright.api.comparison;

import dev.tilewright.api.asked.KernelRequest;
import dev.tilewright.model.exchange.ProblemDocument;
import org.jspecify.annotations.Nullable;

/**
 * Asks for a comparison.
 *
 * @param problem {@code null} for that of a trial among the two
 * @param first the kernel whose ratio is told
 * @param second the kernel that it is compared with
 * @param device a GPU; {@code null} for any
 * @param measureEqual whether two kernels with the same module and launch are timed all the same
 * @param seed of the input data and of the orders within blocks
 * @param blocks time exactly so many, 2 to 10,000; {@code null} for as many as a verdict needs
 * @param freshProcess whether a process times them that has done nothing before
 */
record ComparisonRequest(
        @Nullable ProblemDocument problem,
        KernelRequest first,
        KernelRequest second,
        @Nullable String device,
        @Nullable Boolean measureEqual,
        @Nullable Long seed,
        @Nullable Integer blocks,
        @Nullable Boolean freshProcess) {}
