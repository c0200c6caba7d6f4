package dev.tilewright.worker.link.log;

import java.util.Locale;
import java.util.logging.Handler;
import java.util.logging.Logger;

/** How a process writes its log. */
public enum LogFormat {
    /** Lines for people. */
    TEXT,
    /** An object a line, for programs. */
    JSON;

    /**
     * The format of a name.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static LogFormat named(String name) {
        for (LogFormat format : values()) {
            if (format.name().toLowerCase(Locale.ROOT).equals(name)) {
                return format;
            }
        }
        throw new IllegalArgumentException("a log format is text or json, got '" + name + "'");
    }

    /** Has this process write so from now on. Text is what every process begins with. */
    public void install() {
        switch (this) {
            case TEXT -> {}
            case JSON -> {
                for (Handler handler : Logger.getLogger("").getHandlers()) {
                    handler.setFormatter(new JsonFormatter());
                }
            }
        }
    }
}
