package dev.tilewright.launch.expression;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Texts with holes: {@code ${expression}} stands for its value. An expression has no braces. */
public final class Holes {
    private static final Pattern HOLE = Pattern.compile("\\$\\{([^{}]*)}");

    private Holes() {}

    /** @throws ExpressionException if a hole has no value */
    public static String filled(String text, Bindings scope) {
        return HOLE.matcher(text)
                .replaceAll(hole -> Matcher.quoteReplacement(
                        Expression.parse(hole.group(1)).value(scope).toString()));
    }
}
