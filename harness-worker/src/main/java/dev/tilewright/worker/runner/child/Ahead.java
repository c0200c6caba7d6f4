package dev.tilewright.worker.runner.child;

import dev.tilewright.model.problem.Scenario;
import dev.tilewright.worker.device.cuda.Gpu;
import dev.tilewright.worker.runner.link.Kernel;
import dev.tilewright.worker.runner.link.RunnerRequest;
import dev.tilewright.worker.verify.TestData;
import dev.tilewright.worker.verify.TestDataStore;
import org.jspecify.annotations.Nullable;

/**
 * Loads the kernels of trials, those of the next one while the GPU works for the one at hand: kernel and twin in one
 * step each, so that whoever waits for the GPU is not kept from it for long.
 */
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

    /** Whether there is something to do for the request that comes next. */
    boolean isWanted(RunnerRequest next) {
        if (supplies.isFull()) {
            return true;
        }
        return next instanceof RunnerRequest.RunTrial coming
                && isLoadable(coming)
                && (trial != coming || kernel == null || coming.traced() != null && twin == null);
    }

    /** Data have to be there, and nothing may be copied to the device, which would wait for all that is queued. */
    private boolean isLoadable(RunnerRequest.RunTrial coming) {
        return coming.problem().scenario().equals(Scenario.QUIET)
                && coming.kernel().launch().filled().isEmpty()
                && store.held(coming.problem(), coming.seed()).isPresent();
    }

    /** Does one step of it. */
    void step(RunnerRequest next) {
        if (supplies.isFull()) {
            supplies.clear();
            return;
        }
        if (!(next instanceof RunnerRequest.RunTrial coming)) {
            return;
        }
        if (trial != coming) {
            leave();
            trial = coming;
            data = store.held(coming.problem(), coming.seed()).orElse(null);
        }
        TestData operands = data;
        if (operands == null) {
            return;
        }
        if (kernel == null) {
            kernel = load(KERNEL, coming.kernel(), operands);
        } else if (twin == null && coming.traced() != null) {
            twin = load(TWIN, coming.traced(), operands);
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
