package dev.tilewright.worker.cli.board;

/**
 * A bar with words behind it, in one line.
 *
 * @param width of the terminal in columns
 */
public record Bar(int width) {

    private static final int SMALLEST_BAR = 5;

    /**
     * The line, exactly as wide as the terminal less one column, so that it never wraps and covers the one before it.
     *
     * @param share that is done, from 0 to 1
     */
    public String line(double share, String words) {
        int room = width - 1 - words.length() - 3;
        if (room < SMALLEST_BAR) {
            return line(words);
        }
        int filled = (int) Math.min(room, room * share);
        return "[" + "#".repeat(filled) + ".".repeat(room - filled) + "] " + words;
    }

    /** As wide a line without a bar. */
    public String line(String words) {
        return words.length() < width ? words + " ".repeat(width - 1 - words.length()) : words.substring(0, width - 1);
    }
}
