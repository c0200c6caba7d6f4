package dev.tilewright.worker.cli.board;

import dev.tilewright.worker.link.text.PlainText;
import java.util.ArrayList;
import java.util.List;

/** Columns of text, each as wide as its widest cell, two blanks apart. */
public final class TextTable implements Board {

    private final String alignment;
    private final List<List<String>> rows = new ArrayList<>();

    /** @param alignment {@code l} or {@code r} for each column */
    public TextTable(List<String> header, String alignment) {
        if (alignment.length() != header.size()) {
            throw new IllegalArgumentException(header.size() + " columns, but alignment '" + alignment + "'");
        }
        this.alignment = alignment;
        rows.add(header);
    }

    public void add(List<String> row) {
        if (row.size() != alignment.length()) {
            throw new IllegalArgumentException(
                    "a row of " + row.size() + " cells in " + alignment.length() + " columns");
        }
        rows.add(row.stream().map(PlainText::line).toList());
    }

    /** Folded if a line is longer than so many columns. */
    @Override
    public List<String> lines(int width) {
        return rows.size() < 2 || width() <= width ? whole() : new FittedTable(alignment, rows, width).lines();
    }

    /** The columns that it takes where it is not folded. */
    int width() {
        return whole().stream().mapToInt(String::length).max().orElse(0);
    }

    private List<String> whole() {
        int[] widths = new int[alignment.length()];
        for (List<String> row : rows) {
            for (int column = 0; column < widths.length; column++) {
                widths[column] = Math.max(widths[column], row.get(column).length());
            }
        }
        return rows.stream().map(row -> line(row, widths)).toList();
    }

    private String line(List<String> row, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int column = 0; column < widths.length; column++) {
            String padding = " ".repeat(widths[column] - row.get(column).length());
            line.append(column == 0 ? " " : "  ");
            line.append(alignment.charAt(column) == 'r' ? padding + row.get(column) : row.get(column) + padding);
        }
        return line.toString().stripTrailing();
    }
}
