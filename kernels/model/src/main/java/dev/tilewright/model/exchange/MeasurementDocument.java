package dev.tilewright.model.exchange;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.trial.Measurement;
import dev.tilewright.model.trial.Mode;
import dev.tilewright.model.trial.TrialOutcome;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A measurement as users see it.
 *
 * @param tflops rate of the median, 10^12 operations a second
 */
public record MeasurementDocument(@JsonUnwrapped Measurement measurement, double tflops) {

    /** Measurements of one problem. */
    public static List<MeasurementDocument> of(Problem problem, List<Measurement> measurements) {
        return measurements.stream()
                .map(measurement -> new MeasurementDocument(measurement, problem.tflops(measurement.medianNs())))
                .toList();
    }

    /** The measurement of a mode with the most evidence behind it, as {@link Measurement#last} has it. */
    static Optional<Measurement> last(List<MeasurementDocument> documents, Mode mode) {
        return Measurement.last(
                documents.stream().map(MeasurementDocument::measurement).toList(), mode);
    }

    /** The rate that a kernel is said to have; {@code null} if it was not timed, or its times are not believed. */
    public static @Nullable Double rate(
            @Nullable TrialOutcome outcome, Problem problem, List<Measurement> measurements) {
        return outcome == TrialOutcome.IMPLAUSIBLE
                ? null
                : Measurement.last(measurements, Mode.SUSTAINED)
                        .map(last -> problem.tflops(last.medianNs()))
                        .orElse(null);
    }
}
