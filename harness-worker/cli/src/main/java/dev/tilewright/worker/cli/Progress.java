package dev.tilewright.worker.cli;

import dev.tilewright.worker.cli.board.JobProgress;
import dev.tilewright.worker.cli.board.ProgressLine;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

/** Shows how a job goes on. */
final class Progress {

    private final RedrawnLine redrawn;
    private final ProgressLine line;
    private final Clock clock;
    private final Instant start;

    /** @param terminal behind {@code out} */
    Progress(PrintStream out, Terminal terminal, Clock clock) {
        this.redrawn = new RedrawnLine(new PrintWriter(out, true), terminal, clock);
        this.line = new ProgressLine(terminal.width());
        this.clock = clock;
        this.start = clock.instant();
    }

    /** Shows the job as it is now. */
    void show(JobProgress job) {
        if (redrawn.isDue()) {
            draw(job);
        }
    }

    /** Shows the job for the last time. */
    void end(JobProgress job) {
        draw(job);
        redrawn.leave();
    }

    private void draw(JobProgress job) {
        Duration elapsed = Duration.between(start, clock.instant());
        redrawn.draw(line.bar(job, elapsed), line.words(job, elapsed));
    }
}
