package dev.tilewright.worker.agent.device;

import dev.tilewright.model.exchange.DeviceOffer;
import dev.tilewright.model.exchange.FinalResult;
import dev.tilewright.model.exchange.GpuTask;
import dev.tilewright.model.exchange.GpuTaskResult;
import dev.tilewright.model.exchange.TrialResult;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.trial.Testbed;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.space.family.FamilySpace;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A real, emulated or simulated GPU that trials are run on, one at a time. */
public interface Device extends AutoCloseable {

    /** How this host names it: {@code cuda:0}, {@code simulated:h200}, {@code emulated}. */
    String label();

    /** The GPU of this machine that it works on, as NVML writes its UUID; empty if it is none. */
    default Optional<String> uuid() {
        return Optional.empty();
    }

    /** The testbed that its measurements belong to. */
    Testbed testbed();

    /** Limits of the device that a kernel must keep. */
    DeviceLimits limits();

    /** The offer of this device, as its worker registers it. */
    default DeviceOffer offer() {
        List<DeviceOffer.Deal> deals = limits().deals().entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(of -> new DeviceOffer.Deal(
                        of.getKey(),
                        of.getValue().first(),
                        of.getValue().gpcs(),
                        of.getValue().rounds(),
                        of.getValue().laterGpcs(),
                        of.getValue().laterRounds()))
                .toList();
        return new DeviceOffer(label(), testbed(), deals.isEmpty() ? null : deals);
    }

    /** Whether tiles per SM come from the traced twin of a kernel, which then has to be assembled too. */
    default boolean needsTracedTwin() {
        return false;
    }

    /** Why it can run no kernel of a family; empty if it can run some. */
    default Optional<String> refusal(FamilySpace family) {
        return Optional.empty();
    }

    /** Why it cannot run a kernel for a problem, with value and rule; empty if it can. */
    default Optional<String> refusal(Problem problem, PreparedKernel kernel) {
        return Optional.empty();
    }

    /** Whether a trial is itself a proof. */
    default boolean proves() {
        return false;
    }

    /**
     * Runs one trial to its typed outcome; a fault or a hang of the kernel is an outcome too.
     *
     * @throws DeviceUnusableException if the device itself is out of order, so that nothing can be said of the trial
     */
    TrialResult run(PreparedTrial trial) throws DeviceUnusableException;

    /**
     * The same, knowing which trial comes next: a device may make it ready meanwhile, but runs it only when it is asked
     * to.
     *
     * @param next {@code null} if it is not known
     */
    default TrialResult run(PreparedTrial trial, @Nullable PreparedTrial next) throws DeviceUnusableException {
        return run(trial);
    }

    /**
     * Trials of a problem are being made: a device may make its data meanwhile. What goes wrong is for the trial to
     * say.
     *
     * @throws DeviceUnusableException if the device itself is out of order
     */
    default void expect(Problem problem, long seed) throws DeviceUnusableException {
        // A device without data has nothing to make.
    }

    /**
     * Races kernels for the final, and times the winners beside peers.
     *
     * @param raced called when the race is over, and again where the final is run again; returns at once
     * @throws DeviceUnusableException likewise, and where nothing is timed: nobody knows a vendor's kernels but on a
     *     GPU
     */
    default FinalResult runFinal(PreparedFinal work, Runnable raced) throws DeviceUnusableException {
        throw new DeviceUnusableException(
                "a device of kind " + testbed().kind() + " runs no finals: it cannot time the peers");
    }

    /**
     * Times kernels beside each other in the turns of a final; none leaves.
     *
     * @throws DeviceUnusableException if the device itself is out of order, and where nothing is timed
     */
    default FinalResult runTurns(PreparedTurns work) throws DeviceUnusableException {
        throw new DeviceUnusableException("a device of kind " + testbed().kind() + " times nothing: this needs a GPU");
    }

    /**
     * Does what is no part of a study.
     *
     * @param kernels those that the task wants built, in their order
     * @throws DeviceUnusableException if the device itself is out of order
     */
    default GpuTaskResult run(GpuTask task, List<PreparedKernel> kernels) throws DeviceUnusableException {
        return new GpuTaskResult.Failed(
                "a device of kind " + testbed().kind() + " does nothing but trials: this needs a GPU");
    }

    /** Work on another lease begins: what {@link #abandon} said is over. */
    default void renew() {
        // A device that ends nothing remembers nothing.
    }

    /**
     * Ends the work since {@link #renew}, which is wanted no more. A device may end what would take long, and then
     * whoever waits for it gets a {@link java.util.concurrent.CancellationException}; other work goes on to its end.
     * Comes from another thread than the one that runs.
     */
    default void abandon() {
        // A device without long work has nothing to end.
    }

    @Override
    void close();
}
