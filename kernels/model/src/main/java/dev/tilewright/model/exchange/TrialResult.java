package dev.tilewright.model.exchange;

import dev.tilewright.model.trial.Checked;
import dev.tilewright.model.trial.Compilation;
import dev.tilewright.model.trial.Executed;
import dev.tilewright.model.trial.Measurement;
import dev.tilewright.model.trial.SchedulerEvidence;
import dev.tilewright.model.trial.TrialOutcome;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The result of a trial: the same from the process that owns the device to the row in Postgres.
 *
 * @param outcome of a proof {@code completed, hazard, mismatch, pruned, unassembled} or {@code infrastructure}
 * @param errorRatio largest error over its bound, before and after timing; {@code null} if no comparison was made
 * @param compilation {@code null} if there is no cubin, and in what a device says: the worker adds it
 * @param executed {@code null} if nothing was launched
 * @param measurements summaries of its timed runs; empty if it was not timed
 * @param evidence {@code null} if nothing was traced
 * @param checked what the emulator said of the text; {@code null} if it was not asked
 * @param timesNs wall time spent in {@code build, assemble, check} on the worker, in {@code load, reference, anchor,
 *     verify, measure, trace, ahead} on the device, and time on the GPU since the trial before: {@code gpuBusy} at
 *     work, {@code gpuSpinFlush} behind plugs and flushing L2, and {@code gpuWait.*} with nothing to do, by what the
 *     runner was at meanwhile; in nanoseconds
 * @param log what a person needs to understand the outcome: diagnostics, the assembler's words, the fault
 */
public record TrialResult(
        TrialOutcome outcome,
        @Nullable Double errorRatio,
        @Nullable Compilation compilation,
        @Nullable Executed executed,
        List<Measurement> measurements,
        @Nullable SchedulerEvidence evidence,
        @Nullable Checked checked,
        Map<String, Long> timesNs,
        String log) {

    public TrialResult {
        measurements = List.copyOf(measurements);
        timesNs = Map.copyOf(timesNs);
    }

    /** The result of a trial as its device reports it, without the compilation. */
    public TrialResult(
            TrialOutcome outcome,
            @Nullable Double errorRatio,
            @Nullable Executed executed,
            List<Measurement> measurements,
            @Nullable SchedulerEvidence evidence,
            @Nullable Checked checked,
            Map<String, Long> timesNs,
            String log) {
        this(outcome, errorRatio, null, executed, measurements, evidence, checked, timesNs, log);
    }

    /** A trial that gave nothing but an outcome. */
    public static TrialResult failed(TrialOutcome outcome, String log) {
        return new TrialResult(outcome, null, null, List.of(), null, null, Map.of(), log);
    }

    /** The same with another outcome, and the reason for it before what the worker says. */
    public TrialResult endedBy(TrialOutcome other, String reason) {
        return new TrialResult(
                other,
                errorRatio,
                compilation,
                executed,
                measurements,
                evidence,
                checked,
                timesNs,
                (reason + "\n" + log).strip());
    }

    /** The same with other times. */
    public TrialResult withTimes(Map<String, Long> times) {
        return new TrialResult(outcome, errorRatio, compilation, executed, measurements, evidence, checked, times, log);
    }
}
