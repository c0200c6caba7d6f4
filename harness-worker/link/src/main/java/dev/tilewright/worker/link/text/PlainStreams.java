package dev.tilewright.worker.link.text;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.logging.Handler;
import java.util.logging.Logger;

/** The streams of a process that writes for people. */
public final class PlainStreams {

    /** One line a record: time, level, class, message, and a stack trace if there is one. */
    private static final String LOG_LINE = "%1$tFT%1$tT.%1$tL %4$s %3$s: %5$s%6$s%n";

    private PlainStreams() {}

    /** Nothing that others wrote, such as the error of a job, reaches a terminal as a command from here on. */
    public static void install() {
        System.setErr(plain(FileDescriptor.err));
        System.setProperty("java.util.logging.SimpleFormatter.format", LOG_LINE);
        for (Handler handler : Logger.getLogger("").getHandlers()) {
            handler.setFormatter(new PlainFormatter());
        }
    }

    /** Standard output for people. */
    public static PrintStream out() {
        return plain(FileDescriptor.out);
    }

    /** Whether somebody sees a line that is written over and over. */
    public static boolean isTerminal() {
        return System.console() != null && System.console().isTerminal();
    }

    /** Writes UTF-8 in any locale, for names may have it; where the locale has none, bars are digits. */
    private static PrintStream plain(FileDescriptor terminal) {
        boolean ascii = !System.getProperty("native.encoding", "UTF-8").equalsIgnoreCase("UTF-8");
        return new PrintStream(new PlainOutput(new FileOutputStream(terminal), ascii), true, StandardCharsets.UTF_8);
    }
}
