package dev.tilewright.worker.cli;

import dev.tilewright.proof.file.CheckProgress;
import java.io.PrintWriter;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;

/** Says now and then how the check of a kernel file goes on, so that nobody waits in silence. */
public final class CheckLines implements CheckProgress {
    private static final Duration BETWEEN_LINES = Duration.ofSeconds(10);
    private static final double MILLION = 1e6;

    private final PrintWriter err;
    private final Clock clock;
    private final Instant start;
    private Instant last;

    public CheckLines(PrintWriter err, Clock clock) {
        this.err = err;
        this.clock = clock;
        this.start = clock.instant();
        this.last = start;
    }

    @Override
    public void at(int run, int runs, long seed, long steps) {
        Instant now = clock.instant();
        if (Duration.between(last, now).compareTo(BETWEEN_LINES) >= 0) {
            last = now;
            err.println(String.format(
                    Locale.ROOT,
                    "run %d of %d, seed %d: %.1f million warp instructions; %d s",
                    run,
                    runs,
                    seed,
                    steps / MILLION,
                    Duration.between(start, now).toSeconds()));
            err.flush();
        }
    }
}
