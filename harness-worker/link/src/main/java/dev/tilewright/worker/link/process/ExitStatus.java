package dev.tilewright.worker.link.process;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * How a process ended.
 *
 * @param code its exit code; 128 plus the signal if a signal ended it
 */
public record ExitStatus(int code) {

    /** How long the exit value of a process that has gone may take to be known. */
    private static final Duration KNOWN = Duration.ofSeconds(20);

    /** The status of a process that {@code kill -9} ended. */
    public static ExitStatus killed() {
        return new ExitStatus(128 + 9);
    }

    /** How a process ended that has gone: its handle hears of that a little before the process has the exit value. */
    public static ExitStatus of(Process gone) {
        return new ExitStatus(gone.onExit()
                .orTimeout(KNOWN.toSeconds(), TimeUnit.SECONDS)
                .join()
                .exitValue());
    }

    private static final Map<Integer, String> SIGNALS = Map.of(
            1, "SIGHUP", 2, "SIGINT", 4, "SIGILL", 6, "SIGABRT", 7, "SIGBUS", 8, "SIGFPE", 9, "SIGKILL", 11, "SIGSEGV",
            13, "SIGPIPE", 15, "SIGTERM");

    /** Whether somebody ended it from outside; a program's own fault ends it with another signal or code. */
    public boolean isKilledFromOutside() {
        return code == 128 + 9 || code == 128 + 15 || code == 128 + 2 || code == 128 + 1;
    }

    @Override
    public String toString() {
        String signal = SIGNALS.get(code - 128);
        return signal == null ? "exit code " + code : "signal " + (code - 128) + " (" + signal + ")";
    }
}
