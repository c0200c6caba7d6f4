package dev.tilewright.launch.program;

import dev.tilewright.launch.LaunchDescription;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What a program launches.
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

    private static final Pattern NAME = Pattern.compile("[a-z][a-z0-9_]{0,47}");

    public KernelProgram {
        requireName(name);
        if (launch.entry().isEmpty()) {
            throw new IllegalArgumentException("entry: is missing");
        }
        if (title.contains("*/") || title.contains("\"\"\"") || title.contains("\n")) {
            throw new IllegalArgumentException("a title is a line that no comment ends in, got '" + title + "'");
        }
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
