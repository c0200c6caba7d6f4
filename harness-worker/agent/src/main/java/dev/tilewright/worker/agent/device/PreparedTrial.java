package dev.tilewright.worker.agent.device;

import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.space.Config;
import org.jspecify.annotations.Nullable;

/**
 * A trial that is ready for a device.
 *
 * @param traced the twin that records its tiles; {@code null} where the device does not need it
 * @param anchor timed in the same blocks; {@code null} if there is none
 * @param seed of the input data
 */
public record PreparedTrial(
        String family,
        Problem problem,
        Config config,
        PreparedKernel kernel,
        @Nullable PreparedKernel traced,
        @Nullable PreparedKernel anchor,
        long seed) {

    /** Without an anchor. */
    public PreparedTrial(
            String family,
            Problem problem,
            Config config,
            PreparedKernel kernel,
            @Nullable PreparedKernel traced,
            long seed) {
        this(family, problem, config, kernel, traced, null, seed);
    }
}
