package dev.tilewright.worker.agent.device;

import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.space.Config;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A trial that is ready for a device.
 *
 * @param traced the twin that records its tiles; {@code null} where the device does not need it
 * @param anchor timed in the same blocks; {@code null} if there is none
 * @param seed of the input data
 * @param accept rules of the emulator, by name, that the kernel may break; read where it is proved
 */
public record PreparedTrial(
        String family,
        Problem problem,
        Config config,
        PreparedKernel kernel,
        @Nullable PreparedKernel traced,
        @Nullable PreparedKernel anchor,
        long seed,
        List<String> accept) {

    /** Without an anchor, held to every rule. */
    public PreparedTrial(
            String family,
            Problem problem,
            Config config,
            PreparedKernel kernel,
            @Nullable PreparedKernel traced,
            long seed) {
        this(family, problem, config, kernel, traced, null, seed, List.of());
    }
}
