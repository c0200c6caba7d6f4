package dev.tilewright.worker.cli.gate.report;

import java.util.stream.Collectors;

/** Text that may stand in XML 1.0, which has no place for some characters, however they are written. */
final class XmlText {

    private XmlText() {}

    /** The text, with each such character written out, such as {@code \u001b} for an escape. */
    static String of(String text) {
        return text.codePoints()
                .mapToObj(each -> isAllowed(each) ? Character.toString(each) : "\\u%04x".formatted(each))
                .collect(Collectors.joining());
    }

    private static boolean isAllowed(int each) {
        return each == '\t'
                || each == '\n'
                || each == '\r'
                || each >= 0x20 && each <= 0xd7ff
                || each >= 0xe000 && each <= 0xfffd
                || each >= 0x1_0000;
    }
}
