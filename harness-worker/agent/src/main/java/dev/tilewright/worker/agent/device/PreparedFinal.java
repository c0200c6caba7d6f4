package dev.tilewright.worker.agent.device;

import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.space.Config;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A final that is ready for a device.
 *
 * @param arms team by team
 * @param finalists how many of them reach the final at most
 * @param anchor runs in races at the same clock, and beside a finalist that is alone; {@code null} if there is none
 * @param peers families whose kernels the device finds by itself
 * @param rivals kernels of peers that were built here
 * @param seed of the input data
 * @param peerSeconds of GPU in which the device may look for more kernels of such peers; 0 for none
 */
public record PreparedFinal(
        Problem problem,
        List<Arm> arms,
        int finalists,
        @Nullable PreparedKernel anchor,
        List<String> peers,
        List<Rival> rivals,
        long seed,
        double peerSeconds) {

    public PreparedFinal {
        arms = List.copyOf(arms);
        peers = List.copyOf(peers);
        rivals = List.copyOf(rivals);
    }

    /** Without rivals, and with the peers' own choice of kernels. */
    public PreparedFinal(
            Problem problem,
            List<Arm> arms,
            int finalists,
            @Nullable PreparedKernel anchor,
            List<String> peers,
            long seed) {
        this(problem, arms, finalists, anchor, peers, List.of(), seed, 0);
    }

    /** The same without some of the peers' kernels. */
    public PreparedFinal without(List<Rival> some) {
        return new PreparedFinal(
                problem,
                arms,
                finalists,
                anchor,
                peers,
                rivals.stream().filter(rival -> !some.contains(rival)).toList(),
                seed,
                peerSeconds);
    }

    /** The same with the peers' own choice of kernels. */
    public PreparedFinal withoutSearch() {
        return new PreparedFinal(problem, arms, finalists, anchor, peers, rivals, seed, 0);
    }

    /**
     * A kernel of a peer.
     *
     * @param name unique among the arms
     */
    public record Rival(String name, String family, Config config, PreparedKernel kernel) {}

    /**
     * One of our kernels.
     *
     * @param team the first of each team races for it
     */
    public record Arm(UUID trialId, int team, String family, Config config, PreparedKernel kernel) {}
}
