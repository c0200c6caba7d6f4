package dev.tilewright.worker.gpu.runner;

import dev.tilewright.model.problem.Scenario;
import dev.tilewright.worker.gpu.cuda.CudaException;
import dev.tilewright.worker.gpu.cuda.Gpu;
import dev.tilewright.worker.gpu.verify.Ending;
import dev.tilewright.worker.gpu.verify.TestData;
import dev.tilewright.worker.gpu.verify.TestDataStore;
import dev.tilewright.worker.link.runner.Kernel;
import dev.tilewright.worker.link.runner.RunnerRequest;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Makes the next trial ready while the GPU works for the one at hand: loads its kernel, and puts its first steps into
 * the stream. Its traced twin is loaded when it has begun, while its kernel warms up.
 */
final class Ahead {

    private static final String KERNEL = "kernel";
    private static final String TWIN = "traced twin";

    /** Part of the time in which the runner unloads modules of earlier trials. */
    private static final String UNLOAD = "unload";

    private final Gpu gpu;
    private final TestDataStore store;
    private final Supplies supplies;
    private RunnerRequest.@Nullable RunTrial trial;
    private @Nullable TestData data;
    private @Nullable Loading kernel;
    private @Nullable Opening opening;
    private boolean opened;

    Ahead(Gpu gpu, TestDataStore store, Supplies supplies) {
        this.gpu = gpu;
        this.store = store;
        this.supplies = supplies;
    }

    /** The launch of a trial. */
    final class Kernels implements AutoCloseable {
        private final RunnerRequest.RunTrial trial;
        private final TestData data;
        private final Loading kernel;
        private final @Nullable Opening opening;
        private @Nullable Loading twin;

        private Kernels(RunnerRequest.RunTrial trial, TestData data, Loading kernel, @Nullable Opening opening) {
            this.trial = trial;
            this.data = data;
            this.kernel = kernel;
            this.opening = opening;
        }

        Loading kernel() {
            return kernel;
        }

        /** The traced twin, loaded when it is asked for first. */
        Loading twin() {
            Loading known = twin;
            if (known == null) {
                known = trial.traced() == null ? Loading.NOTHING : load(TWIN, trial.traced(), data);
                twin = known;
            }
            return known;
        }

        /** The first steps, if they are in the stream already. */
        Optional<Opening> opening() {
            return Optional.ofNullable(opening);
        }

        @Override
        public void close() {
            if (twin != null) {
                twin.close();
            }
            kernel.close();
        }
    }

    /** Whether there is something to do before the request that comes next. */
    boolean isWanted(RunnerRequest next) {
        return supplies.isFull() || next instanceof RunnerRequest.RunTrial coming && isLoadable(coming);
    }

    /** Data have to be there, and nothing may be copied to the device, which would wait for all that is queued. */
    private boolean isLoadable(RunnerRequest.RunTrial coming) {
        return coming.problem().scenario().equals(Scenario.QUIET)
                && coming.kernel() instanceof Kernel.Assembled assembled
                && !KernelMemory.writes(assembled.described())
                && store.held(coming.problem(), coming.seed())
                        .filter(held -> held.holds(Ending.of(coming.kernel().launch(), coming.problem())))
                        .isPresent();
    }

    /**
     * Loads the kernel of what comes next while the GPU runs the traces of a trial, and queues its first steps behind
     * them. Not earlier: what the driver does to load it must not disturb a kernel that is timed.
     *
     * @throws CudaException if the device has faulted; it is not known which kernel is at fault
     */
    void prepare(RunnerRequest next, Workbench bench, Phases phases) {
        String part = bench.meter().enter(Phases.AHEAD);
        phases.within(Phases.AHEAD, () -> {
            load(next);
            bench.meter().cut();
            open(bench);
            bench.meter().enter(UNLOAD);
            tidy();
        });
        bench.meter().enter(part);
    }

    private void load(RunnerRequest next) {
        leave();
        if (next instanceof RunnerRequest.RunTrial coming && isLoadable(coming)) {
            TestData operands = store.held(coming.problem(), coming.seed()).orElseThrow();
            trial = coming;
            data = operands;
            kernel = load(KERNEL, coming.kernel(), operands);
        }
    }

    /** Opens the bench. If the driver refuses a first step, the trial meets the refusal itself. */
    private void open(Workbench bench) {
        RunnerRequest.RunTrial coming = trial;
        TestData operands = data;
        if (coming == null || operands == null || kernel == null || !kernel.isThere()) {
            return;
        }
        opened = true;
        try {
            opening = Opening.ahead(bench, coming, operands, kernel.get()).orElse(null);
        } catch (CudaException refused) {
            refused.throwIfSticky();
        }
        opened = opening != null;
    }

    /** Whether something of the next trial is in the stream, or was about to be. */
    boolean isOpened() {
        return opened;
    }

    /** Unloads the modules of earlier trials where they have become many, which may wait for the GPU. */
    private void tidy() {
        if (supplies.isFull()) {
            supplies.clear();
        }
    }

    /** The kernels of a trial, as far as they were loaded ahead; what is missing is loaded now. */
    Kernels take(RunnerRequest.RunTrial wanted, TestData operands) {
        if (trial != wanted || data != operands) {
            leave();
        }
        Loading first = kernel;
        Opening begun = opening;
        forget();
        return new Kernels(wanted, operands, first == null ? load(KERNEL, wanted.kernel(), operands) : first, begun);
    }

    /** The kernels of a trial whose own is at hand. */
    Kernels loaded(RunnerRequest.RunTrial wanted, TestData operands, LoadedKernel ready) {
        leave();
        return new Kernels(wanted, operands, Loading.of(() -> ready), null);
    }

    private Loading load(String name, Kernel wanted, TestData operands) {
        return Loading.of(() -> switch (wanted) {
            case Kernel.Assembled assembled -> LoadedCubin.load(gpu, supplies, name, assembled, operands);
            case Kernel.OfLibrary(String family, var _) ->
                throw new IllegalArgumentException("a kernel of " + family + " is its library's, and is not loaded");
        });
    }

    /** Leaves what was made ready, since something else came. */
    void leave() {
        if (opening != null) {
            opening.leave();
        }
        if (kernel != null) {
            kernel.close();
        }
        forget();
    }

    /** Nothing is ready any more. */
    void forget() {
        kernel = null;
        opening = null;
        opened = false;
        trial = null;
        data = null;
    }
}
