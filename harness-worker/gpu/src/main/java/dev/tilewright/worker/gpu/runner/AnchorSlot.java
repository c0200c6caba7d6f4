package dev.tilewright.worker.gpu.runner;

import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.Scenario;
import dev.tilewright.worker.gpu.cuda.CudaException;
import dev.tilewright.worker.gpu.cuda.Gpu;
import dev.tilewright.worker.gpu.measure.BusyMeter;
import dev.tilewright.worker.gpu.measure.Screen;
import dev.tilewright.worker.gpu.verify.Ending;
import dev.tilewright.worker.gpu.verify.GuardedBuffer;
import dev.tilewright.worker.gpu.verify.OperandSet;
import dev.tilewright.worker.gpu.verify.TestData;
import dev.tilewright.worker.gpu.verify.Verifier;
import dev.tilewright.worker.gpu.verify.Verifier.Verdict;
import dev.tilewright.worker.link.runner.Kernel;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Where the anchor of the study at hand stays loaded from trial to trial. It reads the operands that the trials read,
 * but writes outputs of its own: right results of the anchor must never stand where a trial's wrong ones would be
 * looked for.
 */
final class AnchorSlot implements AutoCloseable {

    static final String NAME = "anchor";

    private final Gpu gpu;
    private final BusyMeter meter;
    private final Verifier verifier;
    private @Nullable Held held;

    AnchorSlot(Gpu gpu, BusyMeter meter, Verifier verifier) {
        this.gpu = gpu;
        this.meter = meter;
        this.verifier = verifier;
    }

    /** An arm of a kernel on some data, or the reason why it cannot be one. */
    sealed interface Answer {
        /** It gives right results. */
        record Ready(LoadedKernel arm) implements Answer {}

        /** It cannot be loaded or is wrong; the trials then go without. */
        record None(String reason) implements Answer {}
    }

    private static final class Held {
        private final Kernel kernel;
        private final TestData data;
        private final Releases releases;
        private final Answer answer;
        private @Nullable Double launchNs;

        Held(Kernel kernel, TestData data, Releases releases, Answer answer) {
            this.kernel = kernel;
            this.data = data;
            this.releases = releases;
            this.answer = answer;
        }
    }

    /** Releases what is held for another problem, so that its memory is free for the data of this one. */
    void leaveAllBut(Problem problem) {
        if (held != null && !held.data.problem().equals(problem.beside(Scenario.QUIET))) {
            close();
        }
    }

    /** Loads and verifies the anchor, or gives the one that is held. */
    Answer get(Kernel kernel, TestData data) {
        return held(kernel, data).orElseGet(() -> {
            close();
            Held taken = take(kernel, data);
            held = taken;
            return taken.answer;
        });
    }

    private Held take(Kernel kernel, TestData data) {
        if (!(kernel instanceof Kernel.Assembled assembled)) {
            return new Held(
                    kernel, data, new Releases(), new Answer.None("the kernel of a library is no anchor: " + kernel));
        }
        Releases releases = new Releases();
        try {
            return new Held(kernel, data, releases, load(assembled, data, releases));
        } catch (CudaException | IllegalArgumentException refused) {
            releases.close();
            if (refused instanceof CudaException failure && failure.isSticky()) {
                throw failure;
            }
            return new Held(kernel, data, new Releases(), new Answer.None(String.valueOf(refused.getMessage())));
        }
    }

    private Answer load(Kernel.Assembled kernel, TestData data, Releases releases) {
        List<OperandSet> sets = new ArrayList<>();
        for (OperandSet set : data.sets()) {
            GuardedBuffer output = GuardedBuffer.allocate(gpu, set.d().bytes());
            releases.add(output::close);
            sets.add(new OperandSet(set.a(), set.b(), output, set.scales()));
        }
        LoadedCubin arm =
                LoadedCubin.load(gpu, NAME, kernel, sets, Optional.of(data.reference(Ending.of(kernel.described()))));
        releases.add(arm::close);
        List<OperandSet> first = List.of(sets.getFirst());
        meter.busy(() -> {
            verifier.poison(first);
            arm.enqueue(0);
        });
        Verdict verdict = verifier.judge(data, first);
        return verdict.passes()
                ? new Answer.Ready(arm)
                : new Answer.None("wrong result: " + String.join("; ", verdict.complaints()));
    }

    /** The result of {@link #get} at once; empty if there is something to load. */
    Optional<Answer> held(Kernel kernel, TestData data) {
        Held own = held;
        return own != null && own.data == data && own.kernel.equals(kernel)
                ? Optional.of(own.answer)
                : Optional.empty();
    }

    /** The anchor as screens take it. */
    Screen.Anchor forScreen(LoadedKernel arm) {
        return new Screen.Anchor(arm, held == null ? null : held.launchNs);
    }

    /** How long a launch of the anchor was seen to take. */
    void took(double launchNs) {
        if (held != null) {
            held.launchNs = launchNs;
        }
    }

    /** Releases what is held. */
    @Override
    public void close() {
        if (held != null) {
            held.releases.close();
            held = null;
        }
    }
}
