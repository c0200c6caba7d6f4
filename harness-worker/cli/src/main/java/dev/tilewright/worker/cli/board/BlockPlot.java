package dev.tilewright.worker.cli.board;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Values of blocks in their order, drawn with characters: a column for each block, or for several where there are more
 * than columns; a row for each step of the value.
 */
final class BlockPlot {

    private static final int MOST_COLUMNS = 80;

    /** The value in front of a row. */
    private static final int LABEL = 11;

    private static final int ROWS = 9;

    private BlockPlot() {}

    /**
     * Draws values in percent.
     *
     * @param values at least one, all finite
     * @param width of the terminal, in columns
     */
    static List<String> lines(double[] values, int width) {
        double least = Math.min(0, Arrays.stream(values).min().orElseThrow());
        double most = Math.max(0, Arrays.stream(values).max().orElseThrow());
        double step = Math.max((most - least) / (ROWS - 1), 0.01);
        int bottom = (int) Math.round(least / step);
        int top = (int) Math.round(most / step);
        int columns = Math.min(values.length, Math.min(MOST_COLUMNS, width - LABEL));
        char[][] drawn = new char[top - bottom + 1][columns];
        for (int row = 0; row < drawn.length; row++) {
            Arrays.fill(drawn[row], row == top ? '-' : ' ');
        }
        for (int i = 0; i < values.length; i++) {
            int row = top - (int) Math.round(values[i] / step);
            drawn[row][(int) ((long) i * columns / values.length)] = '*';
        }
        List<String> lines = new ArrayList<>();
        for (int row = 0; row < drawn.length; row++) {
            lines.add(String.format(Locale.ROOT, "%+7.2f %% |%s", (top - row) * step, new String(drawn[row])));
        }
        return lines;
    }
}
