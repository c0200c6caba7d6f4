package dev.tilewright.worker.cli;

import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Says that no worker takes what was asked for, and says so again when it has waited twice as long. */
public final class Waiting {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final String what;
    private final String wanted;
    private final @Nullable Path log;
    private final PrintStream notices;
    private final long start = System.nanoTime();
    private Duration next = PATIENCE;

    /**
     * @param what is asked for, such as {@code job}
     * @param wanted the device that it is asked for
     * @param log of the worker of this machine; {@code null} if the service is elsewhere
     */
    public Waiting(String what, String wanted, @Nullable Path log, PrintStream notices) {
        this.what = what;
        this.wanted = wanted;
        this.log = log;
        this.notices = notices;
    }

    /** Looks whether it is time to say so. */
    public void look(boolean waits) {
        Duration waited = Duration.ofNanos(System.nanoTime() - start);
        if (waits && waited.compareTo(next) > 0) {
            next = next.multipliedBy(2);
            notices.println();
            notices.println("no worker has taken the " + what + " for " + waited.toSeconds()
                    + " s: is there one that offers " + wanted + "?" + (log == null ? "" : " its log is " + log));
        }
    }
}
