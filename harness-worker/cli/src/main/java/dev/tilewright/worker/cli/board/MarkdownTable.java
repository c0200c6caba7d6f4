package dev.tilewright.worker.cli.board;

import dev.tilewright.worker.link.text.PlainText;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** A table of Markdown. */
public final class MarkdownTable {

    private final int columns;
    private final List<String> lines = new ArrayList<>();

    /** A table whose columns are all to the left. */
    public MarkdownTable(String... header) {
        this.columns = header.length;
        add(header);
        lines.add("|" + " --- |".repeat(columns));
    }

    /**
     * Adds a row.
     *
     * @throws IllegalArgumentException if it has not a cell for each column
     */
    public void add(String... cells) {
        if (cells.length != columns) {
            throw new IllegalArgumentException("a row of " + cells.length + " cells in " + columns + " columns");
        }
        lines.add(List.of(cells).stream()
                .map(cell -> PlainText.line(cell).replace("|", "\\|"))
                .collect(Collectors.joining(" | ", "| ", " |")));
    }

    /** The head, the line below it and the rows. */
    public List<String> lines() {
        return List.copyOf(lines);
    }
}
