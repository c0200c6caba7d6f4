package dev.tilewright.proof.file;

import dev.tilewright.ptx.parse.Position;
import java.util.ArrayList;
import java.util.List;

/** Lines of a text around a position, with a marker under it. */
final class Excerpt {
    private static final int AROUND = 3;
    private static final int MAX_COLUMNS = 160;

    private Excerpt() {}

    static List<String> of(List<String> text, Position at) {
        List<String> lines = new ArrayList<>();
        int first = Math.max(1, at.line() - AROUND);
        int last = Math.min(text.size(), at.line() + AROUND);
        int width = String.valueOf(last).length();
        for (int line = first; line <= last; line++) {
            String shown = text.get(line - 1).replace('\t', ' ');
            boolean marked = line == at.line();
            lines.add((marked ? "> " : "  ") + ("%" + width + "d").formatted(line) + " | "
                    + (shown.length() > MAX_COLUMNS ? shown.substring(0, MAX_COLUMNS) + "..." : shown));
            if (marked && at.column() <= MAX_COLUMNS) {
                lines.add("  " + " ".repeat(width) + " | " + " ".repeat(at.column() - 1) + "^");
            }
        }
        return lines;
    }
}
