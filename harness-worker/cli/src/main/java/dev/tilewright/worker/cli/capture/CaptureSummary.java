package dev.tilewright.worker.cli.capture;

import dev.tilewright.model.text.Count;
import dev.tilewright.worker.cli.capture.CapturedProblem.Row;
import java.util.Locale;
import java.util.function.Predicate;

/** A recording in one line. */
public record CaptureSummary(CaptureFile file) {

    /** Problems, calls, and shares of GPU time where they are known. */
    public String line() {
        long problems = file.problems().stream()
                .mapToLong(problem -> problem.rows().size())
                .sum();
        String seen = Count.of(problems, "problem") + " in " + Count.of(file.calls(), "call");
        if (file.observedSeconds() < file.seconds()) {
            seen += String.format(Locale.ROOT, ", counted in %.1f s of %.1f s", file.observedSeconds(), file.seconds());
        }
        return seen
                + file.gpu()
                        .map(gpu -> ", GEMMs are " + percent(gpu.gemmShare()) + " of GPU time, "
                                + percent(gpu.gemmShare() == 0 ? 0 : replaceable() / gpu.gemmShare())
                                + " of that can be replaced")
                        .orElse(", GPU time was not profiled");
    }

    private double replaceable() {
        return file.problems().stream()
                .mapToDouble(problem -> problem.rows().stream()
                        .filter(replaced(problem))
                        .mapToDouble(row -> row.timeShare().orElse(0.0))
                        .sum())
                .sum();
    }

    private static Predicate<Row> replaced(CapturedProblem problem) {
        return row -> problem.refusal(row).isEmpty();
    }

    /** {@code "71.0 %"}. */
    public static String percent(double share) {
        return String.format(Locale.ROOT, "%.1f %%", 100 * share);
    }
}
