package dev.tilewright.worker.runner.child;

import dev.tilewright.model.problem.Scenario;
import dev.tilewright.worker.device.cuda.Gpu;
import dev.tilewright.worker.runner.link.Kernel;
import dev.tilewright.worker.runner.link.RunnerRequest;
import dev.tilewright.worker.verify.TestData;
import dev.tilewright.worker.verify.TestDataStore;
import org.jspecify.annotations.Nullable;

/** Loads the kernels of trials, those of the next one while the GPU works for the one at hand. */
final class Ahead {

    private static final String KERNEL = "kernel";
    private static final String TWIN = "traced twin";

    private final Gpu gpu;
    private final TestDataStore store;
    private final Supplies supplies;
    private RunnerRequest.@Nullable RunTrial trial;
    private @Nullable TestData data;
    private @Nullable Loading kernel;
    private @Nullable Loading twin;

    Ahead(Gpu gpu, TestDataStore store, Supplies supplies) {
        this.gpu = gpu;
        this.store = store;
        this.supplies = supplies;
    }

    /** What a trial launches. */
    record Kernels(Loading kernel, Loading twin) implements AutoCloseable {
        @Override
        public void close() {
            twin.close();
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
                && coming.kernel().launch().filled().isEmpty()
                && store.held(coming.problem(), coming.seed()).isPresent();
    }

    /** Loads what comes next; {@link #tidy} comes behind it. */
    void prepare(RunnerRequest next) {
        leave();
        if (next instanceof RunnerRequest.RunTrial coming && isLoadable(coming)) {
            TestData operands = store.held(coming.problem(), coming.seed()).orElseThrow();
            trial = coming;
            data = operands;
            kernel = load(KERNEL, coming.kernel(), operands);
            twin = coming.traced() == null ? null : load(TWIN, coming.traced(), operands);
        }
    }

    /** Unloads the modules of earlier trials where they have become many, which may wait for the GPU. */
    void tidy() {
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
        Loading second = twin;
        kernel = null;
        twin = null;
        leave();
        Loading loaded = first == null ? load(KERNEL, wanted.kernel(), operands) : first;
        if (second == null) {
            second = wanted.traced() == null ? Loading.NOTHING : load(TWIN, wanted.traced(), operands);
        }
        return new Kernels(loaded, second);
    }

    private Loading load(String name, Kernel wanted, TestData operands) {
        return Loading.of(() -> LoadedKernel.load(gpu, supplies, name, wanted, operands));
    }

    /** Forgets what was loaded, since something else came. */
    void leave() {
        if (kernel != null) {
            kernel.close();
        }
        if (twin != null) {
            twin.close();
        }
        kernel = null;
        twin = null;
        trial = null;
        data = null;
    }
}
