package dev.tilewright.worker.cli.apply;

import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.space.Config;
import dev.tilewright.worker.link.client.ApiRefusedException;
import dev.tilewright.worker.link.command.CommandFailedException;
import java.util.Optional;

/** Chooses the kernel that replaces PyTorch's. */
public interface KernelSource {

    /** The kernel of a problem, or the reason why PyTorch's stays. */
    sealed interface Choice {}

    /**
     * A kernel.
     *
     * @param us microseconds of a launch
     * @param pytorchUs the same of the kernel that PyTorch calls; empty if nobody measured it
     */
    record Taken(String family, Config config, double us, Optional<Double> pytorchUs) implements Choice {}

    /** @param why on one line */
    record Left(String why) implements Choice {}

    /**
     * Chooses.
     *
     * @throws CommandFailedException if it cannot be told, such as between two GPUs
     */
    Choice choose(Problem problem) throws ApiRefusedException, InterruptedException;

    /** The GPU of the choices; known when all are made. */
    PackDevice device();
}
