package dev.tilewright.worker.cli.board;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Lines in the columns of a terminal. Lines to copy stay whole: they hold a command, a path or PTX. */
public final class WrappedLine {

    private static final String HANGING = "    ";

    /**
     * A command, perhaps behind a label; a file that was written, perhaps with the next command; a line of PTX behind
     * its number; the mark below.
     */
    private static final Pattern COPIED = Pattern.compile(
            "\\s*(\\S+: )?tilewright .*|(written|kept): ([^:]*|.*tilewright .*)|\\s*(> )?\\d+ \\| .*|\\s*\\| *\\^");

    /** Words that are copied: paths, addresses, hashes and ids. */
    private static final Pattern COPIED_WORD = Pattern.compile(".*/.*/.*|[~.]*/.*|.*[0-9a-f-]{16,}.*");

    private static final Pattern NUMBER =
            Pattern.compile("((?<!\\w)[-+])?(\\d{1,3}(,\\d{3})+|\\d+)(\\.\\d+)?(e[-+]?\\d+)?");

    /** Signs behind which a long word is broken, the best ones first. */
    private static final List<String> BREAKS = List.of(",;+|", "=:/_-");

    private WrappedLine() {}

    /** Each line in as many as it takes. */
    public static List<String> all(List<String> lines, int width) {
        return lines.stream().flatMap(line -> of(line, width).stream()).toList();
    }

    /** A line, broken as {@link #pieces}; what follows hangs below it. */
    static List<String> of(String line, int width) {
        if (line.length() <= width || COPIED.matcher(line).matches()) {
            return List.of(line);
        }
        String indent = " ".repeat(line.length() - line.stripLeading().length());
        List<String> lines = new ArrayList<>();
        for (String piece : pieces(line.strip(), width - indent.length() - HANGING.length())) {
            lines.add(indent + (lines.isEmpty() ? "" : HANGING) + piece);
        }
        return lines;
    }

    /**
     * A text in pieces, at least one: broken at blanks, and a word that is longer than a piece behind a comma or
     * another sign. Numbers and words that are copied stay whole, however long.
     *
     * @param most characters of a piece, but for what stays whole
     */
    static List<String> pieces(String text, int most) {
        List<String> pieces = new ArrayList<>();
        String rest = text;
        while (rest.length() > most) {
            int blank = rest.lastIndexOf(' ', most);
            int end = blank > 0 ? blank : inWord(rest, most);
            if (end == rest.length()) {
                break;
            }
            pieces.add(rest.substring(0, end).stripTrailing());
            rest = rest.substring(end).stripLeading();
        }
        pieces.add(rest);
        return pieces;
    }

    /** The end of the first piece of a text whose first word is longer than a piece. */
    private static int inWord(String text, int most) {
        int blank = text.indexOf(' ');
        String word = blank < 0 ? text : text.substring(0, blank);
        if (COPIED_WORD.matcher(word).matches()) {
            return word.length();
        }
        for (String signs : BREAKS) {
            for (int end = most; end > most / 2; end--) {
                if (signs.indexOf(word.charAt(end - 1)) >= 0 && !isInNumber(word, end)) {
                    return end;
                }
            }
        }
        int end = most;
        while (end < word.length() && isInNumber(word, end)) {
            end++;
        }
        return end;
    }

    private static boolean isInNumber(String word, int at) {
        return NUMBER.matcher(word).results().anyMatch(number -> number.start() < at && at < number.end());
    }
}
