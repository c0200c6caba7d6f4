package dev.tilewright.worker.link.text;

import java.util.stream.Collectors;

/** Text without control characters. */
public final class PlainText {

    private PlainText() {}

    /** The text on one line, with each control character written out, such as {@code \u001b} for an escape. */
    public static String line(String text) {
        return text.chars()
                .mapToObj(each -> isHarmless(each) ? String.valueOf((char) each) : "\\u%04x".formatted(each))
                .collect(Collectors.joining());
    }

    /** Besides control characters: ends of lines of Unicode, and characters that turn the direction of text around. */
    private static boolean isHarmless(int each) {
        return !Character.isISOControl(each)
                && each != 0x2028
                && each != 0x2029
                && !(each >= 0x202a && each <= 0x202e)
                && !(each >= 0x2066 && each <= 0x2069);
    }
}
