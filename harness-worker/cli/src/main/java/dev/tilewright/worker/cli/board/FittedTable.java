package dev.tilewright.worker.cli.board;

import dev.tilewright.model.text.FoldedColumns;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * A table that is wider than its terminal. Columns with one value in all rows stand in a line above it. The others
 * follow each other in blocks that fit, each with the first column; cells that do not fit go on in the next line.
 *
 * @param alignment {@code l} or {@code r} for each column
 * @param rows the header first; at least one more
 * @param width columns of the terminal
 */
record FittedTable(String alignment, List<List<String>> rows, int width) {

    private static final int KEY = 0;
    private static final String GAP = "  ";

    /** Cells narrower than this are not worth a block. */
    private static final int LEAST = 12;

    /**
     * How wide pieces of cells are, by column.
     *
     * @param most characters of a piece, but for words that stay whole
     * @param widest the longest piece
     */
    private record Cells(int[] most, int[] widest) {}

    List<String> lines() {
        Cells cells = cells();
        List<List<String>> behindKey =
                rows.stream().map(row -> row.subList(KEY + 1, row.size())).toList();
        FoldedColumns folded = FoldedColumns.of(behindKey.getFirst(), behindKey.subList(1, behindKey.size()));
        List<String> lines = new ArrayList<>();
        if (!folded.all().isEmpty()) {
            lines.addAll(WrappedLine.of("all: " + folded.all(), width));
        }
        List<Integer> block = new ArrayList<>(List.of(KEY));
        for (int differing : folded.differing()) {
            int column = differing + KEY + 1;
            if (block.size() > 1 && wide(block, cells) + GAP.length() + cells.widest()[column] > width) {
                lines.addAll(block(block, cells));
                block = new ArrayList<>(List.of(KEY));
            }
            block.add(column);
        }
        lines.addAll(block(block, cells));
        return lines;
    }

    /** The columns that a block takes with its margin. */
    private static int wide(List<Integer> block, Cells cells) {
        return 1 + block.stream().mapToInt(column -> cells.widest()[column]).sum() + GAP.length() * (block.size() - 1);
    }

    /** With the first column the others fit, if they can. */
    private Cells cells() {
        int columns = alignment.length();
        Cells cells = new Cells(new int[columns], new int[columns]);
        for (int column = KEY; column < columns; column++) {
            int most = Math.max(LEAST, column == KEY ? width / 2 : width - 1 - GAP.length() - cells.widest()[KEY]);
            cells.most()[column] = most;
            for (List<String> row : rows) {
                for (String piece : WrappedLine.pieces(row.get(column), most)) {
                    cells.widest()[column] = Math.max(cells.widest()[column], piece.length());
                }
            }
        }
        return cells;
    }

    private List<String> block(List<Integer> columns, Cells widths) {
        List<String> lines = new ArrayList<>();
        for (List<String> row : rows) {
            List<List<String>> cells = columns.stream()
                    .map(column -> WrappedLine.pieces(row.get(column), widths.most()[column]))
                    .toList();
            int deep = cells.stream().mapToInt(List::size).max().orElse(1);
            for (int at = 0; at < deep; at++) {
                int line = at;
                lines.add(IntStream.range(0, columns.size())
                        .mapToObj(index -> padded(columns.get(index), cells.get(index), line, widths))
                        .collect(Collectors.joining(GAP, " ", ""))
                        .stripTrailing());
            }
        }
        return lines;
    }

    private String padded(int column, List<String> pieces, int line, Cells widths) {
        String text = line < pieces.size() ? pieces.get(line) : "";
        String padding = " ".repeat(widths.widest()[column] - text.length());
        return alignment.charAt(column) == 'r' ? padding + text : text + padding;
    }
}
