package dev.tilewright.worker.cli.board;

import java.util.List;

/** Lines for people, whose tables fit a terminal. */
public interface Board {

    /** The width of a file or a pipe: lines are as long as they come. */
    int ANY_WIDTH = Integer.MAX_VALUE;

    /**
     * All lines. Rows of tables fit; sentences may be longer, and are wrapped where they are printed.
     *
     * @param width of the terminal, in columns
     */
    List<String> lines(int width);

    /** All lines, however long. */
    default List<String> lines() {
        return lines(ANY_WIDTH);
    }
}
