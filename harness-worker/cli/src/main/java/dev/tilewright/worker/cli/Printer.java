package dev.tilewright.worker.cli;

import dev.tilewright.worker.cli.board.Board;
import dev.tilewright.worker.cli.board.WrappedLine;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;

/**
 * The standard output of a verb. Boards and sentences fit its width; lines to copy are as long as they come.
 *
 * @param width in columns
 */
public record Printer(PrintStream stream, int width) {

    /** A file or a pipe. */
    public Printer(PrintStream stream) {
        this(stream, Board.ANY_WIDTH);
    }

    /** Output to the terminal of this process, if there is one. */
    public static Printer of(Map<String, String> environment, PrintStream stream) {
        return new Printer(stream, Terminal.boardWidth(environment));
    }

    public void show(Board board) {
        print(board.lines(width));
    }

    /** Prints a line that may be wrapped. */
    public void println(String line) {
        print(List.of(line));
    }

    public void println() {
        stream.println();
    }

    /** Prints a line to copy, such as a path or a token, as it is. */
    public void copy(String line) {
        stream.println(line);
    }

    /** Prints a text that programs read, such as PTX or JSON, as it is. */
    public void verbatim(String text) {
        stream.print(text);
        stream.flush();
    }

    private void print(List<String> lines) {
        WrappedLine.all(lines, width).forEach(stream::println);
    }
}
