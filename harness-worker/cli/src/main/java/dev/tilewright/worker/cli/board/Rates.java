package dev.tilewright.worker.cli.board;

import dev.tilewright.model.exchange.ResultDocument.StudyResult;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.text.Microseconds;
import dev.tilewright.model.trial.Measurement;
import dev.tilewright.model.trial.Testbed;
import dev.tilewright.simulator.Roofline;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;
import org.jspecify.annotations.Nullable;

/**
 * Rates of a launch of a given time: microseconds, operations and bytes a second, and the share of the GPU's peak.
 *
 * @param roofline empty if the GPU's datasheet is not known
 */
record Rates(Problem problem, Optional<Roofline> roofline) {

    static final List<String> HEAD = List.of("us", "TFLOP/s", "GB/s", "roofline");

    private static final String NONE = "-";

    static Rates of(Problem problem, @Nullable Testbed testbed) {
        return new Rates(problem, testbed == null ? Optional.empty() : Roofline.of(testbed));
    }

    /** Rates that turn times of a study into throughput. */
    static Rates of(StudyResult study) {
        return of(study.document().problem().problem(), study.document().testbed());
    }

    /** The cells below {@link #HEAD}. */
    List<String> cells(double durationNs) {
        return List.of(Microseconds.of(durationNs), tflops(durationNs), gigabytes(durationNs), share(durationNs));
    }

    /** The same where there is no time. */
    static List<String> noCells() {
        return List.of(NONE, NONE, NONE, NONE);
    }

    String tflops(double durationNs) {
        return oneDigit(problem.tflops(durationNs));
    }

    /** TFLOP/s of the median, with its interval if it has one. */
    String rate(Measurement measurement) {
        return tflops(measurement.medianNs())
                + interval(measurement).map(interval -> " " + interval).orElse("");
    }

    /** The interval of the rate, from that of the duration: the longer it takes, the lower the rate. */
    Optional<String> interval(Measurement measurement) {
        Double low = measurement.ciLowNs();
        Double high = measurement.ciHighNs();
        return low == null || high == null
                ? Optional.empty()
                : Optional.of("[" + tflops(high) + ", " + tflops(low) + "]");
    }

    String gigabytes(double durationNs) {
        return String.format(Locale.ROOT, "%.0f", problem.gigabytesPerSecond(durationNs));
    }

    /** {@code "68.1 %"}. */
    String share(double durationNs) {
        OptionalDouble share =
                roofline.map(known -> known.share(problem, durationNs)).orElse(OptionalDouble.empty());
        return share.isEmpty() ? NONE : oneDigit(100 * share.getAsDouble()) + " %";
    }

    static String oneDigit(double value) {
        return String.format(Locale.ROOT, "%.1f", value);
    }
}
