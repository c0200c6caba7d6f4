package dev.tilewright.launch.expression;

import java.util.ArrayList;
import java.util.List;

/** Reads one expression by descent: the weakest operator first. */
final class ExpressionParser {
    private static final int MOST_CHARACTERS = 1000;
    private static final int MOST_NESTING = 64;
    /**
     * Operators of two operands, each row binds closer than the one before; of two that begin alike the longer first.
     */
    private static final List<List<String>> OPERATORS = List.of(
            List.of("||"),
            List.of("&&"),
            List.of("==", "!="),
            List.of("<=", ">=", "<", ">"),
            List.of("+", "-"),
            List.of("*", "/", "%"));

    private final String text;
    private int at;
    private int depth;

    private ExpressionParser(String text) {
        this.text = text;
    }

    static Term parse(String text) {
        if (text.length() > MOST_CHARACTERS) {
            throw ExpressionException.of(
                    text.substring(0, 40) + "...",
                    0,
                    "has at most " + MOST_CHARACTERS + " characters, got " + text.length());
        }
        ExpressionParser parser = new ExpressionParser(text);
        Term term = parser.choice();
        if (!parser.atEnd()) {
            throw parser.wrong("ends, but '" + text.substring(parser.at) + "' is behind it");
        }
        return term;
    }

    private Term choice() {
        if (++depth > MOST_NESTING) {
            throw wrong("nests deeper than " + MOST_NESTING);
        }
        Term condition = binary(0);
        int start = at;
        if (taken("?")) {
            Term then = choice();
            if (!taken(":")) {
                throw wrong("needs ':' behind '?'");
            }
            condition = new Term.Choice(start, condition, then, choice());
        }
        depth--;
        return condition;
    }

    private Term binary(int level) {
        if (level == OPERATORS.size()) {
            return unary();
        }
        Term left = binary(level + 1);
        while (true) {
            space();
            int start = at;
            String operator = OPERATORS.get(level).stream()
                    .filter(this::taken)
                    .findFirst()
                    .orElse("");
            if (operator.isEmpty()) {
                return left;
            }
            left = new Term.Binary(start, operator, left, binary(level + 1));
        }
    }

    private Term unary() {
        space();
        int start = at;
        if (++depth > MOST_NESTING) {
            throw wrong("nests deeper than " + MOST_NESTING);
        }
        Term term =
                taken("-") ? new Term.Negative(start, unary()) : taken("!") ? new Term.Not(start, unary()) : primary();
        depth--;
        return term;
    }

    private Term primary() {
        space();
        int start = at;
        if (taken("(")) {
            Term inner = choice();
            close();
            return inner;
        }
        if (taken("'")) {
            int end = text.indexOf('\'', at);
            if (end < 0) {
                throw wrong("needs a ' behind the word");
            }
            at = end + 1;
            return new Term.Literal(start, new Value.Word(text.substring(start + 1, end)));
        }
        while (at < text.length() && isPart(text.charAt(at))) {
            at++;
        }
        String word = text.substring(start, at);
        if (word.isEmpty()) {
            throw wrong(
                    "needs a number, a name or '('" + (atEnd() ? ", but it ends" : ", got '" + text.charAt(at) + "'"));
        }
        if (Character.isDigit(word.charAt(0))) {
            return number(start, word);
        }
        return taken("(") ? call(start, word) : new Term.Name(start, word);
    }

    private Term number(int start, String digits) {
        try {
            return new Term.Literal(start, new Value.Whole(Long.parseLong(digits)));
        } catch (NumberFormatException notOne) {
            throw ExpressionException.of(text, start, "must be a whole number below 2^63, got '" + digits + "'");
        }
    }

    private Term call(int start, String name) {
        Builtin function = Builtin.named(name)
                .orElseThrow(() -> ExpressionException.of(
                        text, start, "knows the functions " + List.of(Builtin.values()) + ", got '" + name + "'"));
        List<Term> arguments = new ArrayList<>();
        do {
            arguments.add(choice());
        } while (taken(","));
        close();
        if (arguments.size() != function.arguments()) {
            throw ExpressionException.of(
                    text, start, function + " takes " + function.arguments() + " arguments, got " + arguments.size());
        }
        return new Term.Call(start, function, arguments);
    }

    private void close() {
        if (!taken(")")) {
            // YAML cuts [f(a, b)] into two items.
            throw wrong(
                    "needs ')'" + (atEnd() ? "; in a list in brackets write \"" + text + ", ...)\" in quotes" : ""));
        }
    }

    private static boolean isPart(char c) {
        return c == '_' || c < 128 && Character.isLetterOrDigit(c);
    }

    private boolean taken(String sign) {
        space();
        if (!text.startsWith(sign, at)) {
            return false;
        }
        at += sign.length();
        return true;
    }

    private void space() {
        while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
            at++;
        }
    }

    private boolean atEnd() {
        space();
        return at == text.length();
    }

    private ExpressionException wrong(String rule) {
        return ExpressionException.of(text, at, rule);
    }
}
