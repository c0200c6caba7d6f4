package dev.tilewright.worker.cli.board;

import dev.tilewright.worker.link.text.PlainText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * One line about a running job.
 *
 * @param width of the terminal in columns
 */
public record ProgressLine(int width) {

    private static final int SMALLEST_BAR = 5;

    /** The line with a bar, exactly as wide as the terminal less one column, so that it never wraps. */
    public String bar(JobProgress job, Duration elapsed) {
        String words = " " + words(job, elapsed);
        int room = width - 1 - words.length() - 2;
        Optional<Double> share = share(job);
        if (room < SMALLEST_BAR || share.isEmpty()) {
            String cut = words.strip();
            return cut.length() < width ? cut + " ".repeat(width - 1 - cut.length()) : cut.substring(0, width - 1);
        }
        int filled = (int) Math.min(room, room * share.get());
        return "[" + "#".repeat(filled) + ".".repeat(room - filled) + "]" + words;
    }

    /** The line without a bar. */
    public String words(JobProgress job, Duration elapsed) {
        if (job.isWaiting()) {
            return "waiting for a worker, " + elapsed.toSeconds() + " s";
        }
        List<String> parts = new ArrayList<>();
        if (job.studies().size() == 1) {
            parts.addAll(parts(job.studies().getFirst()));
            parts.add(elapsed.toSeconds() + " s");
            return String.join(", ", parts);
        }
        parts.add(job.done() + "/" + job.studies().size() + " shapes done");
        parts.add(elapsed.toSeconds() + " s");
        job.left(elapsed).ifPresent(left -> parts.add("about " + inWords(left) + " left"));
        return String.join(", ", parts) + atWork(job.atWork());
    }

    /** The first of the shapes at work with its best; a service with time to spare is at several of them. */
    private static String atWork(List<JobProgress.Study> studies) {
        if (studies.isEmpty()) {
            return "";
        }
        String more = studies.size() == 1 ? "" : " (and " + (studies.size() - 1) + " more)";
        return "; now " + name(studies.getFirst()) + more + ": " + String.join(", ", parts(studies.getFirst()));
    }

    private static List<String> parts(JobProgress.Study study) {
        List<String> parts = new ArrayList<>();
        parts.add(
                study.budget() == null
                        ? study.finished() + (study.finished() == 1 ? " trial" : " trials")
                        : study.finished() + "/" + study.budget() + " trials");
        parts.add(best(study));
        if (study.finished() > study.completed()) {
            parts.add((study.finished() - study.completed()) + " failed");
        }
        if (study.finalists() != null && !study.ended()) {
            parts.add("final");
        }
        return parts;
    }

    private static String best(JobProgress.Study study) {
        Double tflops = study.bestTflops();
        if (tflops == null) {
            return study.completed() == 0 ? "none completed yet" : study.completed() + " completed";
        }
        return "best " + Rates.us(study.problem().flops() / tflops / 1e3) + " us (" + Rates.oneDigit(tflops)
                + " TFLOP/s)";
    }

    private static String name(JobProgress.Study study) {
        String name = study.shape().name();
        return name == null ? study.problem().shapes() : PlainText.line(name);
    }

    private static String inWords(Duration left) {
        return left.toSeconds() < 120 ? left.toSeconds() + " s" : (left.toSeconds() + 30) / 60 + " min";
    }

    /** How much of the job is done; empty if its only study stops by itself. */
    private static Optional<Double> share(JobProgress job) {
        boolean known = job.studies().size() > 1
                || job.studies().stream().anyMatch(study -> study.budget() != null || study.ended());
        return known ? Optional.of(job.share()) : Optional.empty();
    }
}
