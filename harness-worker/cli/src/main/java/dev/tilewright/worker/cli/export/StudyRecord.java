package dev.tilewright.worker.cli.export;

import com.fasterxml.jackson.annotation.JsonIncludeProperties;
import dev.tilewright.model.exchange.TrialDocument;
import dev.tilewright.model.trial.Testbed;
import dev.tilewright.model.trial.TrialOutcome;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The trials that a kernel was chosen from.
 *
 * @param problem in words
 * @param trials as the service answers them; what is not of this kernel is not recorded
 */
public record StudyRecord(
        String study,
        String problem,
        Testbed testbed,

        @JsonIncludeProperties({
            "config",
            "outcome",
            "errorRatio",
            "registers",
            "measurements",
            "tflops",
            "timesNs",
            "finishedAt"
        })
        List<TrialDocument> trials) {

    /** Trials with a result for their config, in the order in which they were asked. */
    List<TrialDocument> telling() {
        return trials.stream().filter(trial -> isOfTheConfig(trial.outcome())).toList();
    }

    private static boolean isOfTheConfig(@Nullable TrialOutcome outcome) {
        return switch (outcome) {
            case null -> false;
            case COMPLETED, PRUNED, UNASSEMBLED, BUILD, COMPILE, SPILL, LAUNCH, TIMEOUT, CRASH, MISMATCH, HAZARD ->
                true;
            case NOISE, IMPLAUSIBLE, QUARANTINED, CANCELLED, INFRASTRUCTURE -> false;
        };
    }
}
