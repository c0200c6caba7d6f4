package dev.tilewright.ptx.parse;

import dev.tilewright.ptx.parse.Token.Kind;

/** Constant expressions of integers: literals, parentheses, signs, and {@code ~ * / % + - << >> & ^ |}. */
final class Constants {
    /** Parentheses and signs nest no deeper. */
    private static final int MAX_NESTING = 64;
    /** Binary operators by strength, the weakest first. */
    private static final String[] LEVELS = {"|", "^", "&", "<>", "+-", "*/%"};

    private static final int WARP_SIZE = 32;

    private final Cursor cursor;
    private int depth;

    Constants(Cursor cursor) {
        this.cursor = cursor;
    }

    /** Whether a constant can begin with this token. */
    static boolean begins(Token token) {
        return switch (token.kind()) {
            case NUMBER -> true;
            case MARK -> "(-+~".contains(token.text());
            case WORD -> token.text().equals("WARP_SZ");
            case MODIFIER, STRING, END -> false;
        };
    }

    /** A constant operand: an expression of integers, or a float with maybe a minus before it. */
    Literal literal() {
        int sign = cursor.peek().isMark("-") ? 1 : 0;
        Token token = cursor.peek(sign);
        if (token.kind() == Kind.NUMBER && !(Literal.of(token) instanceof Literal.Whole)) {
            if (sign == 1) {
                cursor.next();
            }
            return signed(Literal.of(cursor.next()), sign == 1);
        }
        return new Literal.Whole(integer());
    }

    private static Literal signed(Literal literal, boolean negative) {
        if (!negative) {
            return literal;
        }
        return switch (literal) {
            case Literal.Whole w -> new Literal.Whole(-w.value());
            case Literal.Single s -> new Literal.Single(s.bits() ^ Integer.MIN_VALUE);
            case Literal.Twice d -> new Literal.Twice(d.bits() ^ Long.MIN_VALUE);
            case Literal.Decimal d -> new Literal.Decimal(-d.value());
        };
    }

    long integer() {
        long value = binary(0);
        Token next = cursor.peek();
        boolean closes = next.isMark(">")
                && !cursor.peek(1).isMark("=")
                && cursor.peek(1).kind() == Kind.MARK;
        if (next.kind() == Kind.MARK && "<>=!?&|".contains(next.text()) && !closes) {
            throw unread(next);
        }
        return value;
    }

    /** Of the manual's operators those that compare, choose and cast are not read. PTX 4.5.4. */
    static Refusal unread(Token operator) {
        return Refusal.unsupported(operator.at(), "a constant with " + operator.shown() + " is not supported");
    }

    /** An integer that a Java int holds, within bounds. */
    int integer(String what, int low, int high) {
        Token first = cursor.peek();
        long value = integer();
        if (value < low || value > high) {
            throw new Refusal(first.at(), what + " must be in " + low + ".." + high + ", got " + value);
        }
        return (int) value;
    }

    private long binary(int level) {
        if (level == LEVELS.length) {
            return unary();
        }
        long left = binary(level + 1);
        while (true) {
            Token operator = cursor.peek();
            if (operator.kind() != Kind.MARK || !LEVELS[level].contains(operator.text())) {
                return left;
            }
            boolean shift = LEVELS[level].equals("<>");
            boolean logical =
                    !shift && "&|".contains(operator.text()) && cursor.peek(1).isMark(operator.text());
            if (logical || (shift && !cursor.peek(1).isMark(operator.text()))) {
                return left;
            }
            cursor.next();
            if (shift) {
                cursor.next();
            }
            long right = binary(level + 1);
            left = apply(operator, left, right);
        }
    }

    private static long apply(Token operator, long left, long right) {
        return switch (operator.text().charAt(0)) {
            case '|' -> left | right;
            case '^' -> left ^ right;
            case '&' -> left & right;
            case '<' -> left << right;
            case '>' -> left >> right;
            case '+' -> left + right;
            case '-' -> left - right;
            case '*' -> left * right;
            case '/', '%' -> {
                if (right == 0) {
                    throw new Refusal(operator.at(), "division by zero in a constant");
                }
                yield operator.isMark("/") ? left / right : left % right;
            }
            default -> throw new Refusal(operator.at(), "not an operator of constants: " + operator.shown());
        };
    }

    private long unary() {
        Token token = cursor.peek();
        if (++depth > MAX_NESTING) {
            throw new Refusal(token.at(), "a constant nests deeper than " + MAX_NESTING);
        }
        try {
            if (cursor.accept("-")) {
                return -unary();
            } else if (cursor.accept("+")) {
                return unary();
            } else if (cursor.accept("~")) {
                return ~unary();
            } else if (token.isMark("!") || (token.isMark("(") && cursor.peek(1).kind() == Kind.MODIFIER)) {
                throw unread(token);
            } else if (cursor.accept("(")) {
                long value = integer();
                cursor.expect(")");
                return value;
            } else if (token.is(Kind.WORD, "WARP_SZ")) {
                cursor.next();
                return WARP_SIZE;
            }
            cursor.number("a constant");
            if (Literal.of(token) instanceof Literal.Whole whole) {
                return whole.value();
            }
            throw new Refusal(token.at(), "expected an integer, got " + token.shown());
        } finally {
            depth--;
        }
    }
}
