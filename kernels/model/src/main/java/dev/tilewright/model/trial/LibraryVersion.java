package dev.tilewright.model.trial;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The library that a trial of one of its algorithms ran on, as the log of the trial says it.
 *
 * @param name soname or path
 * @param number as the library says it
 */
public record LibraryVersion(String name, long number) {

    private static final String BEGIN = "library: ";

    private static final Pattern LINE = Pattern.compile("^" + BEGIN + "(.+) (\\d{1,18})$", Pattern.MULTILINE);

    /** The line of a log that says it. */
    public static String line(String library) {
        return BEGIN + library;
    }

    /** The first that a log says; empty if it says none. */
    public static Optional<LibraryVersion> in(@Nullable String log) {
        if (log == null) {
            return Optional.empty();
        }
        Matcher matcher = LINE.matcher(log);
        return matcher.find()
                ? Optional.of(new LibraryVersion(matcher.group(1), Long.parseLong(matcher.group(2))))
                : Optional.empty();
    }
}
