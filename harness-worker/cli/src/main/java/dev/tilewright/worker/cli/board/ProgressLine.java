package dev.tilewright.worker.cli.board;

import dev.tilewright.model.text.Count;
import dev.tilewright.model.text.Microseconds;
import dev.tilewright.model.trial.Stage;
import dev.tilewright.worker.link.text.PlainText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * One line about a running job.
 *
 * @param width of the terminal in columns
 */
public record ProgressLine(int width) {

    /** The line with a bar, exactly as wide as the terminal less one column, so that it never wraps. */
    public String bar(JobProgress job, Duration elapsed) {
        Bar bar = new Bar(width);
        return job.isWaiting() ? bar.line(words(job, elapsed)) : bar.line(job.share(), words(job, elapsed));
    }

    /** The line without a bar. */
    public String words(JobProgress job, Duration elapsed) {
        if (job.isWaiting()) {
            return "waiting for a worker, " + elapsed.toSeconds() + " s";
        }
        List<String> parts = new ArrayList<>();
        if (job.studies().size() == 1 && job.ranges().isEmpty()) {
            JobProgress.Study only = job.studies().getFirst();
            parts.addAll(parts(only));
            parts.add(elapsed.toSeconds() + " s");
            job.left(elapsed)
                    .ifPresent(left -> parts.add(
                            (only.isTotalKnown() ? "about " : "at most about ") + Pace.inWords(left) + " left"));
            return String.join(", ", parts);
        }
        List<JobProgress.Study> singles = job.singles();
        if (!singles.isEmpty()) {
            long done = singles.stream().filter(JobProgress.Study::ended).count();
            parts.add(done + "/" + Count.of(singles.size(), "shape") + " done");
        }
        job.ranges().stream().map(range -> range(job, range)).forEach(parts::add);
        parts.add(elapsed.toSeconds() + " s");
        job.left(elapsed).ifPresent(left -> parts.add("about " + Pace.inWords(left) + " left"));
        return String.join(", ", parts) + atWork(job.atWork());
    }

    private static String range(JobProgress job, JobProgress.Phase range) {
        List<JobProgress.Study> now = job.now(range);
        long done = now.stream().filter(JobProgress.Study::ended).count();
        return "range of M: " + range.at() + (now.isEmpty() ? "" : " " + done + "/" + now.size());
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
        study.stage().ifPresent(parts::add);
        parts.add(trials(study));
        parts.add(rate(study));
        if (study.finished() > study.completed()) {
            parts.add((study.finished() - study.completed()) + " failed");
        }
        return parts;
    }

    /** Counts trials. The most that an adaptive study may have is no total, and is shown only while the study runs. */
    private static String trials(JobProgress.Study study) {
        Integer most = study.mostTrials();
        if (most == null || study.isSwept() && !study.isTotalKnown()) {
            return Count.of(study.finished(), "trial");
        }
        return study.finished() + (study.isTotalKnown() ? "/" : " of at most ") + Count.of(most, "trial");
    }

    /** With its stage: the rate of a screen is not to be compared with that of a final. */
    private static String rate(JobProgress.Study study) {
        Double best = study.bestTflops();
        Double screen = study.fastestScreenTflops();
        if (best != null) {
            Stage stage = study.end() == null ? null : study.end().bestStage();
            return "best " + rate(study, best) + (stage == null ? "" : " by the " + stage);
        }
        if (screen != null) {
            return "screen " + rate(study, screen);
        }
        return study.completed() == 0 ? "none completed yet" : study.completed() + " completed";
    }

    private static String rate(JobProgress.Study study, double tflops) {
        return Microseconds.of(study.problem().flops() / tflops / 1e3) + " us (" + Rates.oneDigit(tflops) + " TFLOP/s)";
    }

    private static String name(JobProgress.Study study) {
        String name = study.shape().name();
        return name == null ? study.problem().shapes() : PlainText.line(name);
    }
}
