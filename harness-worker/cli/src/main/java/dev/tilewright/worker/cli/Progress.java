package dev.tilewright.worker.cli;

import dev.tilewright.worker.cli.board.JobProgress;
import dev.tilewright.worker.cli.board.ProgressLine;
import java.io.PrintStream;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

/** Shows how a job goes on: one line that is written over and over on a terminal, now and then a line elsewhere. */
final class Progress {

    private static final Duration BETWEEN_LINES = Duration.ofSeconds(5);

    private final PrintStream out;
    private final boolean terminal;
    private final ProgressLine line;
    private final Clock clock;
    private final Instant start;
    private Instant last;

    /** @param terminal behind {@code out} */
    Progress(PrintStream out, Terminal terminal, Clock clock) {
        this.out = out;
        this.terminal = terminal.redraws();
        this.line = new ProgressLine(terminal.width());
        this.clock = clock;
        this.start = clock.instant();
        this.last = start;
    }

    /** Shows the job as it is now. */
    void show(JobProgress job) {
        Instant now = clock.instant();
        if (terminal) {
            out.print("\r" + line.bar(job, Duration.between(start, now)));
            out.flush();
        } else if (Duration.between(last, now).compareTo(BETWEEN_LINES) >= 0) {
            last = now;
            out.println(line.words(job, Duration.between(start, now)));
        }
    }

    /** Shows the job for the last time. */
    void end(JobProgress job) {
        Duration elapsed = Duration.between(start, clock.instant());
        out.println(terminal ? "\r" + line.bar(job, elapsed) : line.words(job, elapsed));
    }
}
