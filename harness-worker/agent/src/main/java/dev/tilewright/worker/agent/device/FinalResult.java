package dev.tilewright.worker.agent.device;

import dev.tilewright.model.exchange.Report;
import dev.tilewright.model.trial.Discard;
import dev.tilewright.model.trial.TrialOutcome;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What came of a final on a device; the words are those of {@link Report.Finished}.
 *
 * @param timesNs wall time of its parts, by their names, in nanoseconds
 */
public record FinalResult(
        List<Report.Arm> arms,
        List<Report.ArmRatio> ratios,
        List<Report.Block> blocks,
        List<Discard> discards,
        Map<String, Long> timesNs,
        String log) {

    /** The same with kernels of peers that had to leave it, and why they had to. */
    public FinalResult with(List<Report.Arm> left, String why) {
        return new FinalResult(
                Stream.concat(arms.stream(), left.stream()).toList(),
                ratios,
                blocks,
                discards,
                timesNs,
                (why + "\n" + log).strip());
    }

    /** One arm ended the process. It is not known which one, so no arm has a time. */
    public static FinalResult failed(PreparedFinal work, TrialOutcome outcome, String log) {
        return new FinalResult(
                work.arms().stream()
                        .map(arm -> new Report.Arm(
                                arm.trialId().toString(),
                                arm.trialId(),
                                arm.family(),
                                arm.config(),
                                outcome,
                                null,
                                List.of(),
                                log.strip()))
                        .toList(),
                List.of(),
                List.of(),
                List.of(),
                Map.of(),
                log.strip());
    }
}
