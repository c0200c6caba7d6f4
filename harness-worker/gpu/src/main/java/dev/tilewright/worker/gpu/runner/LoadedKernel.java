package dev.tilewright.worker.gpu.runner;

import dev.tilewright.model.trial.Executed;
import dev.tilewright.worker.gpu.cuda.DeviceBuffer;
import dev.tilewright.worker.gpu.measure.Arm;
import dev.tilewright.worker.gpu.verify.OperandSet;
import dev.tilewright.worker.gpu.verify.TestData;
import dev.tilewright.worker.gpu.verify.Verifier.Expected;
import java.util.List;
import java.util.Optional;

/** A kernel on the device, ready to be launched on each set of operands. */
sealed interface LoadedKernel extends Arm, AutoCloseable permits LoadedCubin, LoadedAlgorithm {

    /** Poisons what the launch says is poisoned at first, before a launch of a verification. */
    void poison();

    /** Expectations of launches on these sets. */
    Expected expected(TestData data, List<OperandSet> judged);

    /** The sets of operands whose outputs this kernel has written. */
    List<OperandSet> usedSets();

    /** The outputs were poisoned: none of them has been written since. */
    void forgetUsedSets();

    /** A buffer of the kernel's own. */
    Optional<DeviceBuffer> buffer(String name);

    /** The kernel that is launched. */
    Executed executed();

    /** Remarks on it. */
    List<String> remarks();

    @Override
    void close();
}
