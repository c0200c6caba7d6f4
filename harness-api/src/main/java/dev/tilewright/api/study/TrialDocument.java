package dev.tilewright.api.study;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.tilewright.api.trial.TrialRow;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.trial.Measurement;
import dev.tilewright.model.trial.TrialOutcome;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A trial with its measurements.
 *
 * @param tflops sustained median of its last stage; {@code null} if it was not measured, or is not believed
 */
public record TrialDocument(
        @JsonUnwrapped TrialRow trial,
        List<MeasurementDocument> measurements,
        @Nullable Double tflops) {

    static TrialDocument of(TrialRow trial, Problem problem, List<Measurement> measurements) {
        return new TrialDocument(
                trial,
                MeasurementDocument.of(problem, measurements),
                trial.outcome() == TrialOutcome.IMPLAUSIBLE
                        ? null
                        : Standing.lastSustained(measurements)
                                .map(last -> problem.tflops(last.medianNs()))
                                .orElse(null));
    }
}
