package dev.tilewright.worker.device;

import dev.tilewright.gemm.space.DeviceLimits;
import dev.tilewright.model.trial.Testbed;

/** A real, emulated or simulated GPU that trials are run on, one at a time. */
public interface Device extends AutoCloseable {

    /** How this host names it: {@code cuda:0}, {@code simulated:h200}, {@code emulated}. */
    String label();

    /** What its numbers belong to. */
    Testbed testbed();

    /** What it allows a kernel. */
    DeviceLimits limits();

    /** Whether tiles per SM come from the traced twin of a kernel, which then has to be assembled too. */
    boolean needsTracedTwin();

    /**
     * Runs one trial to its typed outcome; a fault or a hang of the kernel is an outcome too.
     *
     * @throws DeviceUnusableException if the device itself is out of order, so that nothing can be said of the trial
     */
    TrialResult run(PreparedTrial trial) throws DeviceUnusableException;

    /**
     * Times finalists beside peers.
     *
     * @throws DeviceUnusableException likewise
     */
    FinalResult runFinal(PreparedFinal work) throws DeviceUnusableException;

    @Override
    void close();
}
