package dev.tilewright.api.drawn;

import dev.tilewright.api.testing.Latencies;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** What a run of drawn problems says, as a document. */
record DrawnReport(long seed, int count, List<DrawnRun> runs) {

    private static final int SLOWEST = 5;

    void write(Path document) throws IOException {
        Files.writeString(document, markdown());
    }

    private String markdown() throws IOException {
        StringBuilder text = new StringBuilder("""
                # Drawn problems through the service

                Written by `DrawnProblemsTest`: problems drawn at random (`DrawnProblems`), each as a study of %d trials with
                either strategy, through the real service with its Postgres and driver. A worker double answers at once
                what the cost model predicts, give or take 2 %%, and lets one config of 32 spill; nothing is assembled.
                Two studies are at work at a time, one on each simulated GPU, so that both cores are busy. Times of asks are
                those of the driver's timer `tilewright.search.ask`; those of requests were taken by who sends them, in the
                same JVM. All times are in milliseconds.

                """.formatted(DrawnStudies.TRIALS));
        text.append("%s; %d problems, `-Ddraws.seed=%d`.\n\n".formatted(RunProvenance.line(), count, seed));
        text.append("| strategy | on | studies | with 160 distinct valid configs | with the whole space | failed |\n");
        text.append("| --- | --- | --- | --- | --- | --- |\n");
        runs.forEach(run -> run.studies()
                .forEach((gpu, studies) -> text.append(row(
                        run.strategy(),
                        "simulated:" + gpu,
                        studies.size(),
                        studies.stream()
                                .filter(study -> ended(study) && !study.wholeSpace())
                                .count(),
                        studies.stream()
                                .filter(study -> ended(study) && study.wholeSpace())
                                .count(),
                        studies.stream().filter(study -> !ended(study)).count()))));
        text.append("\n| strategy | what | count | median | p99 | longest | over 50 ms | over 1 s |\n");
        text.append("| --- | --- | --- | --- | --- | --- | --- | --- |\n");
        for (DrawnRun run : runs) {
            text.append(times(run, "all asks of the strategy", run.asks("first", "next")));
            text.append(times(run, "the first of each study", run.asks("first")));
            text.append(times(run, "the next ones", run.asks("next")));
            text.append(times(run, "ask for twins", run.asks("twins")));
            text.append(times(run, "space, when a device takes a study", run.asks("space")));
            text.append(times(run, "heartbeat", run.heartbeats()));
            text.append(times(run, "`GET /jobs/{id}`", run.polls()));
        }
        text.append("\nThe studies that took longest, with all their trials:\n\n");
        text.append("| strategy | number | problem | configs in the space | seconds |\n");
        text.append("| --- | --- | --- | --- | --- |\n");
        for (DrawnRun run : runs) {
            run.all().stream()
                    .sorted(Comparator.comparing(DrawnStudies.Ended::took).reversed())
                    .limit(SLOWEST)
                    .forEach(study -> text.append(row(
                            run.strategy(),
                            study.number(),
                            study.problem().shapes(),
                            study.size(),
                            String.format(Locale.ROOT, "%.1f", study.took().toMillis() / 1e3))));
        }
        runs.forEach(run ->
                run.failures().forEach(failure -> text.append("\n* failed: ").append(failure)));
        return text.toString();
    }

    private static boolean ended(DrawnStudies.Ended study) {
        return study.failure().isEmpty();
    }

    private static String times(DrawnRun run, String what, Latencies times) {
        return row(
                run.strategy(),
                what,
                times.count(),
                Latencies.ms(times.percentile(50)),
                Latencies.ms(times.percentile(99)),
                Latencies.ms(times.longest()),
                times.over(Duration.ofMillis(50)),
                times.over(Duration.ofSeconds(1)));
    }

    private static String row(Object... cells) {
        StringBuilder row = new StringBuilder("|");
        for (Object cell : cells) {
            row.append(' ').append(cell).append(" |");
        }
        return row.append('\n').toString();
    }
}
