package dev.tilewright.worker.device;

import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.space.Config;
import org.jspecify.annotations.Nullable;

/**
 * A trial that is ready for a device.
 *
 * @param traced the twin that records its tiles; {@code null} where the device does not need it
 * @param seed of the input data
 */
public record PreparedTrial(
        String family,
        Problem problem,
        Config config,
        PreparedKernel kernel,
        @Nullable PreparedKernel traced,
        long seed) {}
