package dev.tilewright.worker.cli;

import dev.tilewright.proof.file.CheckProgress;
import dev.tilewright.worker.cli.board.Bar;
import java.io.PrintWriter;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;

/**
 * Says how the check of a kernel file goes on, so that nobody waits in silence: one line that is written over and over
 * on a terminal, now and then a line elsewhere.
 */
public final class CheckLines implements CheckProgress {
    private static final Duration BETWEEN_LINES = Duration.ofSeconds(10);
    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(200);
    private static final double MILLION = 1e6;

    private final PrintWriter err;
    private final Terminal terminal;
    private final Bar bar;
    private final Clock clock;
    private final Instant start;
    private Instant last;
    private boolean drawn;

    /** @param terminal behind {@code err} */
    public CheckLines(PrintWriter err, Terminal terminal, Clock clock) {
        this.err = err;
        this.terminal = terminal;
        this.bar = new Bar(terminal.width());
        this.clock = clock;
        this.start = clock.instant();
        this.last = start;
    }

    @Override
    public void at(int run, int runs, long seed, long steps) {
        Instant now = clock.instant();
        if (Duration.between(last, now).compareTo(terminal.redraws() ? BETWEEN_LOOKS : BETWEEN_LINES) < 0) {
            return;
        }
        last = now;
        String words = String.format(
                Locale.ROOT,
                "run %d of %d, seed %d: %.1f million warp instructions; %d s",
                run,
                runs,
                seed,
                steps / MILLION,
                Duration.between(start, now).toSeconds());
        if (terminal.redraws()) {
            // How long a run is nobody knows before its end: only those that are over count.
            err.print("\r" + bar.line((run - 1) / (double) runs, words));
            drawn = true;
        } else {
            err.println(words);
        }
        err.flush();
    }

    /** Takes the line off the terminal, before something else is written. */
    public void clear() {
        if (drawn) {
            err.print("\r" + bar.line("") + "\r");
            err.flush();
            drawn = false;
        }
    }
}
