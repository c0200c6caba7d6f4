package dev.tilewright.worker.cli;

import dev.tilewright.worker.cli.board.Board;
import dev.tilewright.worker.link.text.PlainStreams;
import java.util.Map;
import java.util.OptionalInt;

/**
 * Where progress is shown.
 *
 * @param redraws whether a line can be written over and over there
 * @param width in columns
 */
public record Terminal(boolean redraws, int width) {

    private static final int UNKNOWN_WIDTH = 80;

    /** Of boards: a narrower terminal breaks their lines itself. */
    private static final int LEAST_WIDTH = 40;

    /** A file or a pipe. */
    public static final Terminal NONE = new Terminal(false, UNKNOWN_WIDTH);

    /** The terminal of this process. Java cannot ask for its width: the launcher passes it in {@code COLUMNS}. */
    public static Terminal of(Map<String, String> environment) {
        return new Terminal(PlainStreams.isTerminal(), columns(environment).orElse(UNKNOWN_WIDTH));
    }

    /** The columns that boards fit: {@code COLUMNS}, which the launcher sets on a terminal; any in a file or a pipe. */
    public static int boardWidth(Map<String, String> environment) {
        return Math.max(LEAST_WIDTH, columns(environment).orElse(Board.ANY_WIDTH));
    }

    private static OptionalInt columns(Map<String, String> environment) {
        String columns = environment.getOrDefault("COLUMNS", "");
        return columns.matches("\\d{2,4}") ? OptionalInt.of(Integer.parseInt(columns)) : OptionalInt.empty();
    }
}
