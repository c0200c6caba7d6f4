package dev.tilewright.worker.cli.board;

import java.util.ArrayList;
import java.util.List;

/** Lines of a board in the columns of a terminal. Lines to copy stay whole: they hold a command. */
public final class WrappedLine {

    private static final String COMMAND = "tilewright ";
    private static final String HANGING = "    ";

    private WrappedLine() {}

    /** Each line in as many as it takes. */
    static List<String> all(List<String> lines, int width) {
        return lines.stream().flatMap(line -> of(line, width).stream()).toList();
    }

    /** A line, broken at blanks; what follows hangs below it. */
    public static List<String> of(String line, int width) {
        if (line.length() <= width || line.contains(COMMAND)) {
            return List.of(line);
        }
        String indent = " ".repeat(line.length() - line.stripLeading().length());
        List<String> pieces = pieces(line.strip(), width - indent.length() - HANGING.length());
        List<String> lines = new ArrayList<>();
        for (String piece : pieces) {
            lines.add(indent + (lines.isEmpty() ? "" : HANGING) + piece);
        }
        return lines;
    }

    /** A text in pieces of at most so many characters, broken at blanks where there are some; at least one piece. */
    static List<String> pieces(String text, int most) {
        List<String> pieces = new ArrayList<>();
        String rest = text;
        while (rest.length() > most) {
            int blank = rest.lastIndexOf(' ', most);
            int end = blank > 0 ? blank : most;
            pieces.add(rest.substring(0, end).stripTrailing());
            rest = rest.substring(end).stripLeading();
        }
        pieces.add(rest);
        return pieces;
    }
}
