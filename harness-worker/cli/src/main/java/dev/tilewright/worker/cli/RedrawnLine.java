package dev.tilewright.worker.cli;

import dev.tilewright.worker.cli.board.Bar;
import dev.tilewright.worker.cli.board.Pace;
import java.io.PrintWriter;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;

/**
 * Says how long work goes on, so that nobody waits in silence: one line that is written over and over on a terminal,
 * now and then a line elsewhere.
 */
public final class RedrawnLine {

    private static final Duration BETWEEN_LOOKS = Duration.ofMillis(200);
    private static final Duration BETWEEN_LINES = Duration.ofSeconds(5);

    private final PrintWriter err;
    private final Terminal terminal;
    private final Bar bar;
    private final Clock clock;
    private final Instant start;
    private Instant last;
    private boolean drawn;

    /** @param terminal behind {@code err} */
    public RedrawnLine(PrintWriter err, Terminal terminal, Clock clock) {
        this.err = err;
        this.terminal = terminal;
        this.bar = new Bar(terminal.width());
        this.clock = clock;
        this.start = clock.instant();
        this.last = start;
    }

    /** Whether nobody sees it yet, or so long has passed that it is drawn again. */
    boolean isDue() {
        Duration since = Duration.between(last, clock.instant());
        return terminal.redraws() ? !drawn || since.compareTo(BETWEEN_LOOKS) >= 0 : since.compareTo(BETWEEN_LINES) >= 0;
    }

    /**
     * Shows work of which it is known how much there is, with the time that it took and that is left.
     *
     * @param share that is done, from 0 to 1
     */
    public void show(double share, String words) {
        if (isDue()) {
            String line = words + ", " + Pace.words(sinceStart(), share);
            draw(bar.line(share, line), line);
        }
    }

    /** Shows work of which nobody knows how long it takes, with the time that it took. */
    public void show(String words) {
        if (isDue()) {
            String line = words + ", " + Pace.words(sinceStart(), 0);
            draw(bar.line(line), line);
        }
    }

    private Duration sinceStart() {
        return Duration.between(start, clock.instant());
    }

    /** Shows one of these, due or not. */
    void draw(String onTerminal, String elsewhere) {
        last = clock.instant();
        if (terminal.redraws()) {
            err.print("\r" + onTerminal);
            drawn = true;
        } else {
            err.println(elsewhere);
        }
        err.flush();
    }

    /** Leaves the line where it is: something else is written below. */
    void leave() {
        if (drawn) {
            err.println();
            drawn = false;
        }
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
