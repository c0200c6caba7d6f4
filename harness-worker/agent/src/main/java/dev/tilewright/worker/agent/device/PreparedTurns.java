package dev.tilewright.worker.agent.device;

import dev.tilewright.model.problem.Problem;
import java.util.List;

/**
 * Kernels of one problem that are ready to be timed beside each other, each in every turn.
 *
 * @param seed of the input data, and of the order in a turn
 */
public record PreparedTurns(Problem problem, List<Arm> arms, long seed) {

    public PreparedTurns {
        arms = List.copyOf(arms);
    }

    /**
     * A kernel.
     *
     * @param name unique among the arms
     * @param family that it is of, for people
     */
    public record Arm(String name, String family, PreparedKernel kernel) {}
}
