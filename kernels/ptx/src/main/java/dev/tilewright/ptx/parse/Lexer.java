package dev.tilewright.ptx.parse;

import dev.tilewright.ptx.parse.Token.Kind;
import java.util.ArrayList;
import java.util.List;

/** Cuts a text into tokens; what is no token is a problem and left out. */
final class Lexer {
    private static final String MARKS = "()[]{}<>,;:=+-!~*/%@|&^?";

    private final String text;
    private final Problems problems;
    private final List<Token> tokens = new ArrayList<>();
    private final List<Remark> remarks = new ArrayList<>();
    private int at;
    private int line = 1;
    private int lineStart;

    private Lexer(String text, Problems problems) {
        this.text = text;
        this.problems = problems;
    }

    /** The tokens, the last of kind END, and the comments between them. */
    static Cursor read(String text, Problems problems) {
        Lexer lexer = new Lexer(text, problems);
        while (lexer.at < text.length()) {
            lexer.piece();
        }
        lexer.tokens.add(new Token(Kind.END, "", false, lexer.here(text.length())));
        return new Cursor(lexer.tokens, lexer.remarks);
    }

    private void piece() {
        char c = text.charAt(at);
        if (c == '\n') {
            at++;
            line++;
            lineStart = at;
        } else if (Character.isWhitespace(c)) {
            at++;
        } else if (text.startsWith("//", at)) {
            lineComment();
        } else if (text.startsWith("/*", at)) {
            blockComment();
        } else if (c == '"') {
            string();
        } else if (isDigit(c)) {
            number();
        } else if (c == '.' && isFollower(ahead(1))) {
            int end = modifierEnd(at + 1);
            add(Kind.MODIFIER, text.substring(at + 1, end), end);
        } else if (isLetter(c) || c == '_' || c == '$' || (c == '%' && isFollower(ahead(1)))) {
            int end = followers(at + 1);
            add(Kind.WORD, text.substring(at, end), end);
        } else if (MARKS.indexOf(c) >= 0) {
            add(Kind.MARK, String.valueOf(c), at + 1);
        } else {
            problems.add(here(at), "text", "not a character of PTX: " + shown(c));
            at++;
        }
    }

    private void add(Kind kind, String piece, int end) {
        boolean joined = at > 0 && !Character.isWhitespace(text.charAt(at - 1));
        tokens.add(new Token(kind, piece, joined, here(at)));
        at = end;
    }

    private void lineComment() {
        int end = text.indexOf('\n', at);
        end = end < 0 ? text.length() : end;
        if (text.substring(lineStart, at).isBlank()) {
            String body = text.substring(at + 2, end);
            remarks.add(new Remark(
                    tokens.size(), body.endsWith("\r") ? body.substring(0, body.length() - 1) : body, here(at)));
        }
        at = end;
    }

    private void blockComment() {
        int end = text.indexOf("*/", at + 2);
        if (end < 0) {
            problems.add(here(at), "text", "a comment is not closed");
            at = text.length();
            return;
        }
        for (int i = at; i < end; i++) {
            if (text.charAt(i) == '\n') {
                line++;
                lineStart = i + 1;
            }
        }
        at = end + 2;
    }

    private void string() {
        int end = at + 1;
        while (end < text.length() && text.charAt(end) != '"' && text.charAt(end) != '\n') {
            end += text.charAt(end) == '\\' ? 2 : 1;
        }
        if (end >= text.length() || text.charAt(end) != '"') {
            problems.add(here(at), "text", "a string is not closed");
            at = Math.min(Math.max(end, at + 1), text.length());
            return;
        }
        add(Kind.STRING, text.substring(at + 1, end), end + 1);
    }

    private void number() {
        int end;
        if (text.charAt(at) == '0' && "xXbBfFdD".indexOf(ahead(1)) >= 0) {
            end = followers(at + 2);
        } else {
            end = digits(at);
            if (end < text.length() && text.charAt(end) == '.') {
                end = digits(end + 1);
            }
            if (end < text.length() && (text.charAt(end) == 'e' || text.charAt(end) == 'E')) {
                int exponent = end + 1;
                if (exponent < text.length() && "+-".indexOf(text.charAt(exponent)) >= 0) {
                    exponent++;
                }
                end = digits(exponent);
            }
            // A suffix, or what makes the number wrong: the reader of numbers says so.
            end = followers(end);
        }
        add(Kind.NUMBER, text.substring(at, end), end);
    }

    private int digits(int from) {
        int end = from;
        while (end < text.length() && isDigit(text.charAt(end))) {
            end++;
        }
        return end;
    }

    private int followers(int from) {
        int end = from;
        while (end < text.length() && isFollower(text.charAt(end))) {
            end++;
        }
        return end;
    }

    /** Modifiers may have parts behind double colons: {@code .shared::cta}. */
    private int modifierEnd(int from) {
        int end = followers(from);
        while (text.startsWith("::", end) && end + 2 < text.length() && isFollower(text.charAt(end + 2))) {
            end = followers(end + 2);
        }
        return end;
    }

    private char ahead(int by) {
        return at + by < text.length() ? text.charAt(at + by) : '\n';
    }

    private Position here(int index) {
        return new Position(line, index - lineStart + 1);
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static boolean isLetter(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    }

    private static boolean isFollower(char c) {
        return isLetter(c) || isDigit(c) || c == '_' || c == '$';
    }

    private static String shown(char c) {
        return c > ' ' && c < 127 ? "'" + c + "'" : String.format("U+%04X", (int) c);
    }
}
