package dev.tilewright.worker.gpu.runner;

import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.worker.gpu.measure.Screen;
import dev.tilewright.worker.gpu.verify.Verifier.Judgement;
import dev.tilewright.worker.link.runner.RunnerRequest;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Queues the steps of a trial ahead, so that the device has work while the host looks at a result. The device runs them
 * in the same order as for {@link StepByStep}, but verifies the twin earlier: the twin runs behind the warm-up. The
 * last verification and the traces run behind the blocks. If a result is wrong, what was queued after it does not
 * count.
 *
 * @param next the request that comes after this trial, as soon as it is known
 */
record InOneGo(TrialSteps steps, Supplier<Optional<RunnerRequest>> next) {

    TrialOutcome run(Ahead.Kernels kernels) {
        TrialFindings found = steps.found();
        LoadedKernel kernel = kernels.kernel().get();
        Opening opening = kernels.opening()
                .orElseGet(() -> Opening.of(steps.bench(), steps.trial(), steps.data(), kernel, steps.anchor()));
        Screen.Session session = opening.session();
        Loading traced = steps.trial().traced() == null ? Loading.NOTHING : steps.twin(kernels);
        Judgement twin = traced.isThere() ? steps.launched(traced.get()) : null;
        // After the twin has run: its right results must not hide wrong ones of the kernel.
        steps.poison(kernel);
        if (!found.isRight(opening.before(), "before timing")) {
            if (twin != null) {
                twin.verdict();
            }
            return TrialOutcome.MISMATCH;
        }
        steps.enter(Phases.MEASURE);
        boolean queued = session.queueBlocks();
        boolean twinRight = twin == null || steps.isTwinRight(twin);
        Judgement after = queued ? steps.usedSets(kernel) : null;
        Tracer.Queued traces =
                queued && twin != null && twinRight ? steps.tracer().queue(traced.get()) : null;
        Screen.Result result = session.result();
        boolean quiet = steps.note(result);
        steps.enter(Phases.VERIFY);
        boolean stillRight = after == null || found.isRight(after, "after timing");
        if (after == null || !result.timed().discards().isEmpty()) {
            // Blocks have run that no verification was queued behind.
            stillRight &= found.isRight(steps.usedSets(kernel), "after timing");
        }
        return steps.timed(
                stillRight && twinRight,
                quiet,
                () -> traces == null ? steps.traced(kernels.twin().get()) : read(traces));
    }

    /** Makes the next trial ready while the GPU runs the traces, then takes these. */
    private TrialOutcome read(Tracer.Queued traces) {
        Ahead ahead = steps.bench().ahead();
        next.get().filter(ahead::isWanted).ifPresent(coming -> ahead.prepare(coming, steps.bench(), steps.phases()));
        if (ahead.isOpened()) {
            // Until the answer: if the runner dies or hangs now, it may be the fault of either trial.
            steps.enter(Phases.AHEAD);
        }
        Tracer.Traces taken = traces.take();
        steps.found().tracedLater(() -> taken.evidence(steps.found().sustainedNs()));
        return TrialOutcome.COMPLETED;
    }
}
