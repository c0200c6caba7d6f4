package dev.tilewright.worker.cli;

import dev.tilewright.launch.LaunchDescription;
import dev.tilewright.model.exchange.DeviceSelector;
import dev.tilewright.model.exchange.FinalResult;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.trial.Testbed;
import java.util.List;
import java.util.function.IntFunction;

/** Times kernels beside each other on a GPU of this machine, without a service. */
@FunctionalInterface
public interface KernelTimer {

    /**
     * A kernel.
     *
     * @param name unique among them
     * @param family that it is of, for people
     * @param target such as {@code sm_90a}
     * @param launch its launch for the problem, by the number of SMs of the GPU
     */
    record Subject(String name, String family, String ptx, String target, IntFunction<LaunchDescription> launch) {}

    /** The times, and the testbed that they belong to. */
    record Timed(Testbed testbed, FinalResult result) {}

    /**
     * Verifies the kernels, times each of them in every turn, and verifies them again.
     *
     * @param seed of the data
     * @throws dev.tilewright.worker.link.command.CommandFailedException if there is no assembler, or the GPU cannot be
     *     used
     */
    Timed time(DeviceSelector.Cuda gpu, Problem problem, List<Subject> kernels, long seed);
}
