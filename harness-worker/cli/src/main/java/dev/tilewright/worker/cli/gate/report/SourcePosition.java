package dev.tilewright.worker.cli.gate.report;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a report points.
 *
 * @param path from the root of the repository
 * @param line counted from 1
 */
record SourcePosition(String path, int line) {

    /** Where a case says nothing. */
    static final SourcePosition GATE_FILE = new SourcePosition("tilewright.yaml", 1);

    private static final Pattern TEXT = Pattern.compile("(.+?):([1-9][0-9]{0,8})");

    /** Reads {@code FILE} or {@code FILE:LINE}. */
    static SourcePosition parse(String text) {
        Matcher matcher = TEXT.matcher(text);
        return matcher.matches()
                ? new SourcePosition(matcher.group(1), Integer.parseInt(matcher.group(2)))
                : new SourcePosition(text, 1);
    }

    boolean isPtx() {
        return path.endsWith(".ptx");
    }
}
