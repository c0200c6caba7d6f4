package dev.tilewright.emulator.hazard;

import java.util.ArrayList;
import java.util.List;

/**
 * The name of a kernel or variable for people. Compilers mangle names by the Itanium C++ ABI; those of templates have a
 * thousand characters and more. Of such a name the path is kept, template arguments become {@code <...>}, and
 * parameters are left out. Any other name of excessive length loses its middle; so does the text of an instruction.
 */
public final class ShownName {
    private static final int MOST = 80;
    private static final int MOST_OF_INSTRUCTION = 160;
    private static final String MANGLED = "_Z";

    /** A mangled name that this class cannot read. */
    private static final class Unreadable extends Exception {
        private static final long serialVersionUID = 1;
    }

    private final String text;
    private int at = MANGLED.length();

    private ShownName(String text) {
        this.text = text;
    }

    /** The form of a name that messages show. */
    public static String of(String name) {
        if (!name.startsWith(MANGLED)) {
            return shortened(name, MOST);
        }
        try {
            return shortened(String.join("::", new ShownName(name).path()), MOST);
        } catch (Unreadable none) {
            return shortened(name, MOST);
        }
    }

    /** The form of an instruction that messages show: tensor instructions name up to 256 registers. */
    public static String ofInstruction(String text) {
        return shortened(text, MOST_OF_INSTRUCTION);
    }

    private static String shortened(String text, int most) {
        int half = (most - 3) / 2;
        return text.length() <= most ? text : text.substring(0, half) + "..." + text.substring(text.length() - half);
    }

    private List<String> path() throws Unreadable {
        List<String> parts = new ArrayList<>();
        if (accept('Z')) {
            // A variable of a function: the function, its parameters, the variable.
            parts.addAll(path());
            skipToEnd();
            part(parts);
            return parts;
        }
        boolean nested = accept('N');
        while (nested && (peek() == 'K' || peek() == 'V' || peek() == 'r')) {
            at++;
        }
        do {
            part(parts);
        } while (nested && !accept('E'));
        if (parts.isEmpty()) {
            throw new Unreadable();
        }
        return parts;
    }

    private void part(List<String> parts) throws Unreadable {
        if (accept('L')) {
            // Of one translation unit alone.
            part(parts);
        } else if (Character.isDigit(peek())) {
            String name = name();
            parts.add(name.startsWith("_GLOBAL__N_") || name.startsWith("_INTERNAL_") ? "(anonymous)" : name);
        } else if (peek() == 'S') {
            parts.add(peekNext() == 't' ? "std" : "...");
            substitution();
        } else {
            throw new Unreadable();
        }
        if (accept('I')) {
            skipToEnd();
            parts.set(parts.size() - 1, parts.getLast() + "<...>");
        }
    }

    /** Goes on behind the end of what has been opened. */
    private void skipToEnd() throws Unreadable {
        for (int depth = 1; depth > 0; ) {
            char next = peek();
            if (Character.isDigit(next)) {
                name();
            } else if (next == 'S') {
                substitution();
            } else if (next == 'L') {
                at++;
                literal();
            } else if (next == 'A') {
                at++;
                digits();
                at++;
            } else if (next == 'T') {
                at++;
                digits();
                at++;
            } else if (next == 'D') {
                at += 2;
                digits();
            } else {
                boolean lambda = next == 'U' && peekNext() == 'l';
                at += lambda ? 2 : 1;
                depth += lambda || "NIXJFZ".indexOf(next) >= 0 ? 1 : 0;
                depth -= next == 'E' ? 1 : 0;
            }
        }
    }

    /** A value with its type, up to its end. */
    private void literal() throws Unreadable {
        if (text.startsWith(MANGLED, at)) {
            at += MANGLED.length();
            skipToEnd();
            return;
        }
        if (accept('N')) {
            skipToEnd();
        } else if (Character.isDigit(peek())) {
            name();
        } else if (peek() == 'S') {
            substitution();
        } else {
            at += peek() == 'D' ? 2 : 1;
        }
        while (!accept('E')) {
            peek();
            at++;
        }
    }

    private void substitution() throws Unreadable {
        at++;
        if (Character.isLowerCase(peek())) {
            at++;
            return;
        }
        while (!accept('_')) {
            if (!Character.isLetterOrDigit(peek())) {
                throw new Unreadable();
            }
            at++;
        }
    }

    private String name() throws Unreadable {
        int length = digits();
        if (length <= 0 || at + length > text.length()) {
            throw new Unreadable();
        }
        at += length;
        return text.substring(at - length, at);
    }

    private int digits() throws Unreadable {
        int value = 0;
        while (at < text.length() && Character.isDigit(text.charAt(at))) {
            value = 10 * value + text.charAt(at++) - '0';
            if (value > text.length()) {
                throw new Unreadable();
            }
        }
        return value;
    }

    private boolean accept(char wanted) {
        if (at >= text.length() || text.charAt(at) != wanted) {
            return false;
        }
        at++;
        return true;
    }

    private char peek() throws Unreadable {
        if (at >= text.length()) {
            throw new Unreadable();
        }
        return text.charAt(at);
    }

    private char peekNext() {
        return at + 1 < text.length() ? text.charAt(at + 1) : ' ';
    }
}
