package dev.tilewright.worker.board;

import java.time.Duration;
import java.util.Locale;
import java.util.Objects;

/**
 * One line about a running job.
 *
 * @param width of the terminal in columns
 */
public record ProgressLine(int width) {

    private static final int SMALLEST_BAR = 5;

    /** The line with a bar, exactly as wide as the terminal less one column, so that it never wraps. */
    public String bar(JobResource job, Duration elapsed) {
        String words = " " + words(job, elapsed);
        int room = width - 1 - words.length() - 2;
        if (room < SMALLEST_BAR) {
            String cut = words.strip();
            return cut.length() < width ? cut + " ".repeat(width - 1 - cut.length()) : cut.substring(0, width - 1);
        }
        long total = total(job);
        int filled = total == 0 ? 0 : (int) Math.min(room, room * finished(job) / total);
        return "[" + "#".repeat(filled) + ".".repeat(room - filled) + "]" + words;
    }

    /** The line without a bar. */
    public String words(JobResource job, Duration elapsed) {
        if (job.isWaiting()) {
            return "waiting for a worker, " + elapsed.toSeconds() + " s";
        }
        double best = job.studies().stream()
                .map(JobResource.Study::bestTflops)
                .filter(Objects::nonNull)
                .mapToDouble(Double::doubleValue)
                .max()
                .orElse(0);
        long completed = job.studies().stream()
                .mapToLong(study -> study.trials().completed())
                .sum();
        String trials = finished(job) + "/" + total(job) + " trials";
        String results = best > 0
                ? String.format(Locale.ROOT, ", best %.1f TFLOP/s", best)
                : completed == 0 ? ", none completed yet" : ", " + completed + " completed";
        String failed = finished(job) > completed ? ", " + (finished(job) - completed) + " failed" : "";
        return trials + results + failed + ", " + elapsed.toSeconds() + " s";
    }

    private static long finished(JobResource job) {
        return job.studies().stream()
                .mapToLong(study -> study.trials().finished())
                .sum();
    }

    private static long total(JobResource job) {
        return job.studies().stream().mapToLong(study -> study.trials().total()).sum();
    }
}
