package dev.tilewright.worker.cli.export;

import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.Measurement;
import dev.tilewright.model.trial.Mode;
import dev.tilewright.model.trial.Testbed;
import dev.tilewright.model.trial.TrialOutcome;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The trials that a kernel was chosen from.
 *
 * @param problem in words
 */
public record StudyRecord(String study, String problem, Testbed testbed, List<Trial> trials) {

    /** A trial as the service answers it; only what is recorded. */
    public record Trial(
            Config config,
            @Nullable TrialOutcome outcome,
            @Nullable Double errorRatio,
            @Nullable Integer registers,
            List<Measurement> measurements,
            @Nullable Double tflops,
            @Nullable Map<String, Long> timesNs,
            @Nullable String finishedAt) {

        /** The sustained measurement with the most evidence. */
        Optional<Measurement> decisive() {
            return measurements.stream()
                    .filter(measurement -> measurement.mode() == Mode.SUSTAINED)
                    .max(Comparator.comparing(Measurement::stage));
        }
    }

    /** Those that say something of their config, in the order in which they were asked. */
    List<Trial> telling() {
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
