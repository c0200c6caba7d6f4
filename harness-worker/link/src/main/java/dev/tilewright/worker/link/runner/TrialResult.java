package dev.tilewright.worker.link.runner;

import dev.tilewright.model.trial.Checked;
import dev.tilewright.model.trial.Executed;
import dev.tilewright.model.trial.Measurement;
import dev.tilewright.model.trial.SchedulerEvidence;
import dev.tilewright.model.trial.TrialOutcome;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What came of a trial on a device: the same from the process that owns the device to the report.
 *
 * @param outcome {@code completed, launch, mismatch, crash, noise} or {@code infrastructure}; of a proof
 *     {@code completed, hazard, mismatch, pruned, unassembled} or {@code infrastructure}
 * @param errorRatio largest error over its bound; {@code null} if no comparison was made
 * @param executed {@code null} if nothing was launched
 * @param checked what the emulator said; {@code null} if it was not asked
 * @param timesNs wall time spent in {@code load, reference, anchor, verify, measure, trace, ahead}, and time on the GPU
 *     since the trial before: {@code gpuBusy} at work, {@code gpuSpinFlush} behind gates and flushing L2, and
 *     {@code gpuWait.*} with nothing to do, by what the runner was at meanwhile; in nanoseconds
 */
public record TrialResult(
        TrialOutcome outcome,
        @Nullable Double errorRatio,
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

    /** A trial that gave nothing but an outcome. */
    public static TrialResult failed(TrialOutcome outcome, String log) {
        return new TrialResult(outcome, null, null, List.of(), null, null, Map.of(), log);
    }
}
