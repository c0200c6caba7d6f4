package dev.tilewright.launch.expression;

/** An expression is malformed or has no value; the message names the text, the column and the rule. */
public final class ExpressionException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private ExpressionException(String message) {
        super(message);
    }

    /** @param at counted from 0 */
    static ExpressionException of(String text, int at, String rule) {
        return new ExpressionException("'" + text + "', column " + (at + 1) + ": " + rule);
    }
}
