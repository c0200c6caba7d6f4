package dev.tilewright.worker.gpu.runner;

import dev.tilewright.model.exchange.TrialResult;
import dev.tilewright.model.trial.Executed;
import dev.tilewright.model.trial.Measurement;
import dev.tilewright.model.trial.Mode;
import dev.tilewright.model.trial.SchedulerEvidence;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.worker.gpu.measure.Screen;
import dev.tilewright.worker.gpu.verify.Verifier.Judgement;
import dev.tilewright.worker.gpu.verify.Verifier.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Findings of one trial, and the answer made of them. */
final class TrialFindings {

    /** Reads traces that were taken, without touching the GPU. */
    interface Tracing {
        SchedulerEvidence make() throws Tracer.DamagedTraceException;
    }

    private final List<String> log = new ArrayList<>();
    private final List<Measurement> measurements = new ArrayList<>();
    private @Nullable Double errorRatio;
    private @Nullable Executed executed;
    private @Nullable SchedulerEvidence evidence;
    private @Nullable Tracing unread;

    /** A line for whoever reads the trial. */
    void note(String line) {
        log.add(line);
    }

    void note(List<String> lines) {
        log.addAll(lines);
    }

    /** How the kernel was launched. */
    void ran(Executed how) {
        executed = how;
    }

    void timed(Measurement measurement) {
        measurements.add(measurement);
    }

    /** Waits for a verdict on results, and says whether they are right. */
    boolean isRight(Judgement judgement, String when) {
        Verdict verdict = judgement.verdict();
        if (Double.isFinite(verdict.errorRatio())) {
            errorRatio = errorRatio == null ? verdict.errorRatio() : Math.max(errorRatio, verdict.errorRatio());
        }
        verdict.complaints().forEach(complaint -> log.add("result " + when + ": " + complaint));
        return verdict.passes();
    }

    /** Takes over what a screen gave; false if it was too noisy to say anything. */
    boolean screened(Screen.Result result) {
        log.addAll(result.timed().notes());
        result.timed().discards().forEach(discard -> log.add("discarded: " + discard.reason()));
        result.measurement().ifPresent(measurements::add);
        return result.measurement().isPresent();
    }

    /** Median duration of a launch in a sustained screen, in nanoseconds; {@code null} if there was none. */
    @Nullable
    Double sustainedNs() {
        return measurements.stream()
                .filter(measurement -> measurement.mode() == Mode.SUSTAINED)
                .map(Measurement::medianNs)
                .findFirst()
                .orElse(null);
    }

    /** Reads traces now. */
    TrialOutcome traced(Tracing tracing) {
        try {
            evidence = tracing.make();
            return TrialOutcome.COMPLETED;
        } catch (Tracer.DamagedTraceException damaged) {
            log.add(String.valueOf(damaged.getMessage()));
            return TrialOutcome.MISMATCH;
        }
    }

    /** Has traces read with the answer. */
    void tracedLater(Tracing tracing) {
        unread = tracing;
    }

    /** Reads what is not read yet, and sums up. Any thread may call it once the trial is over on the GPU. */
    TrialResult answer(TrialOutcome reached, Map<String, Long> timesNs) {
        Tracing tracing = unread;
        TrialOutcome outcome = tracing == null || reached != TrialOutcome.COMPLETED ? reached : traced(tracing);
        return new TrialResult(
                outcome,
                errorRatio,
                executed,
                List.copyOf(measurements),
                evidence,
                null,
                timesNs,
                String.join("\n", log));
    }
}
