package dev.tilewright.worker.cli;

import dev.tilewright.worker.link.text.PlainStreams;
import java.util.Map;

/**
 * Where progress is shown.
 *
 * @param redraws whether a line can be written over and over there
 * @param width in columns
 */
public record Terminal(boolean redraws, int width) {

    private static final int UNKNOWN_WIDTH = 80;

    /** A file or a pipe. */
    public static final Terminal NONE = new Terminal(false, UNKNOWN_WIDTH);

    /** The terminal of this process. Java cannot ask for its width: the launcher passes it in {@code COLUMNS}. */
    public static Terminal of(Map<String, String> environment) {
        String columns = environment.getOrDefault("COLUMNS", "");
        return new Terminal(
                PlainStreams.isTerminal(), columns.matches("\\d{2,4}") ? Integer.parseInt(columns) : UNKNOWN_WIDTH);
    }
}
