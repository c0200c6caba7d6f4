package dev.tilewright.launch.expression;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Texts with holes: {@code ${expression}} stands for its value. An expression has no braces. */
public final class Holes {
    private static final Pattern HOLE = Pattern.compile("\\$\\{([^{}]*)}");

    private Holes() {}

    /** The expressions of all holes, in the order of the text. */
    public static List<Expression> in(String text) {
        List<Expression> holes = new ArrayList<>();
        Matcher matcher = HOLE.matcher(text);
        while (matcher.find()) {
            holes.add(Expression.parse(matcher.group(1)));
        }
        return holes;
    }

    /** @throws ExpressionException if a hole has no value */
    public static String filled(String text, Bindings scope) {
        return HOLE.matcher(text)
                .replaceAll(hole -> Matcher.quoteReplacement(
                        Expression.parse(hole.group(1)).value(scope).toString()));
    }
}
