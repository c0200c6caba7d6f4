package dev.tilewright.worker.device;

import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.space.Config;
import java.util.List;
import java.util.UUID;

/**
 * A final that is ready for a device.
 *
 * @param peers families whose kernels the device finds by itself
 * @param seed of the input data
 */
public record PreparedFinal(Problem problem, List<Arm> arms, List<String> peers, long seed) {

    public PreparedFinal {
        arms = List.copyOf(arms);
        peers = List.copyOf(peers);
    }

    /** One of our kernels. */
    public record Arm(UUID trialId, String family, Config config, PreparedKernel kernel) {}
}
