package dev.tilewright.api.study;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.trial.Measurement;
import java.util.List;

/**
 * A measurement as users see it.
 *
 * @param tflops rate of the median, 10^12 operations a second
 */
public record MeasurementDocument(@JsonUnwrapped Measurement measurement, double tflops) {

    /** Measurements of one problem. */
    static List<MeasurementDocument> of(Problem problem, List<Measurement> measurements) {
        return measurements.stream()
                .map(measurement -> new MeasurementDocument(measurement, problem.tflops(measurement.medianNs())))
                .toList();
    }
}
