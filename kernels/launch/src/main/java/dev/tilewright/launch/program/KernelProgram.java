package dev.tilewright.launch.program;

import dev.tilewright.launch.LaunchDescription;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The kernel that a program launches.
 *
 * @param name of the program: files, functions and the operator begin with it
 * @param title what it is, on one line
 * @param problem what it computes, for people
 * @param cubin of the text, where somebody assembled it; the driver assembles the text otherwise
 * @param leastSms SMs of the smallest GPU that the grid is for
 * @param dealProbe text of the kernel that looks how a GPU deals clusters out, with an entry {@code deal_N} for each
 *     size
 */
public record KernelProgram(
        String name,
        String title,
        String problem,
        LaunchDescription launch,
        String ptx,
        Optional<byte[]> cubin,
        int leastSms,
        String dealProbe) {

    private static final Pattern ENTRY = Pattern.compile("[A-Za-z_$][A-Za-z0-9_$]*");
    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_]{0,47}");

    public KernelProgram {
        requireName(name);
        String entry = launch.entry().orElseThrow(() -> new IllegalArgumentException("entry: is missing"));
        if (!ENTRY.matcher(entry).matches()) {
            throw new IllegalArgumentException(
                    "entry: must be a name of PTX, letters, digits, '_' and '$', got '" + entry + "'");
        }
        requireRemark(title);
    }

    /**
     * A text that may stand in a comment of every language, and in a text of Python.
     *
     * @throws IllegalArgumentException naming the text and the rule
     */
    static String requireRemark(String text) {
        if (text.contains("*/")
                || text.contains("\"\"\"")
                || text.contains("@")
                || text.contains("\\")
                || text.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException(
                    "a remark is one line without '@', '\\' and what ends a comment, got '" + text + "'");
        }
        return text;
    }

    /**
     * A name that every language takes.
     *
     * @throws IllegalArgumentException naming the text and the rule
     */
    public static String requireName(String text) {
        if (!NAME.matcher(text).matches()) {
            throw new IllegalArgumentException(
                    "must be small letters, digits and '_', a letter first, at most 48, got '" + text + "'");
        }
        return text;
    }

    /** Name of the kernel in its text. */
    String entry() {
        return launch.entry().orElseThrow();
    }
}
