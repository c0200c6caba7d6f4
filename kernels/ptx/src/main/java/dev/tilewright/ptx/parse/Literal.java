package dev.tilewright.ptx.parse;

import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.RegisterType;
import dev.tilewright.ptx.type.ScalarType;
import java.util.Locale;

/** A constant as it was written; what it means depends on the instruction's type. */
sealed interface Literal {
    /** The value in 64 bits; the caller decides whether it is signed. */
    record Whole(long value) implements Literal {}

    /** {@code 0f3F800000}: the bits of an f32. */
    record Single(int bits) implements Literal {}

    /** {@code 0d3FF0000000000000}: the bits of an f64. */
    record Twice(long bits) implements Literal {}

    /** {@code 1.5e3}, rounded to the type where it stands. */
    record Decimal(double value) implements Literal {}

    /** Reads a number token. */
    static Literal of(Token token) {
        String text = token.text();
        String lower = text.toLowerCase(Locale.ROOT);
        try {
            if (lower.startsWith("0f")) {
                require(token, lower.length() == 10, "0f takes 8 hexadecimal digits");
                return new Single(Integer.parseUnsignedInt(lower, 2, 10, 16));
            }
            if (lower.startsWith("0d")) {
                require(token, lower.length() == 18, "0d takes 16 hexadecimal digits");
                return new Twice(Long.parseUnsignedLong(lower, 2, 18, 16));
            }
            boolean prefixed = lower.startsWith("0x") || lower.startsWith("0b");
            if (!prefixed && (lower.contains(".") || lower.contains("e"))) {
                return new Decimal(Double.parseDouble(lower));
            }
            int end = lower.endsWith("u") ? lower.length() - 1 : lower.length();
            if (prefixed) {
                return new Whole(Long.parseUnsignedLong(lower, 2, end, lower.charAt(1) == 'x' ? 16 : 2));
            }
            boolean octal = end > 1 && lower.charAt(0) == '0';
            return new Whole(Long.parseUnsignedLong(lower, octal ? 1 : 0, end, octal ? 8 : 10));
        } catch (NumberFormatException e) {
            throw new Refusal(token.at(), "not a number of at most 64 bits: " + token.shown());
        }
    }

    /** The constant as an operand of that type: a float where the type is one, bits of its size elsewhere. */
    static <T extends RegisterType> Immediate<T> operand(Literal literal, ScalarType type, Position at) {
        ScalarType kept = type == ScalarType.F32 || type == ScalarType.F64
                ? type
                : switch (type.bits()) {
                    case 8, 16 -> ScalarType.B16;
                    case 32 -> ScalarType.B32;
                    case 64 -> ScalarType.B64;
                    default -> throw new Refusal(at, "no constants of type ." + type.ptx());
                };
        boolean single = kept.bits() == 32;
        boolean twice = kept.bits() == 64;
        return switch (literal) {
            case Whole w when !kept.isFloat() -> new Immediate<>(kept, w.value());
            case Single s when single -> new Immediate<>(kept, s.bits());
            case Twice d when twice -> new Immediate<>(kept, d.bits());
            case Decimal d when single -> new Immediate<>(kept, Float.floatToRawIntBits((float) d.value()));
            case Decimal d when twice -> new Immediate<>(kept, Double.doubleToRawLongBits(d.value()));
            case Whole _, Single _, Twice _, Decimal _ ->
                throw new Refusal(at, "a constant of another kind than ." + type.ptx());
        };
    }

    private static void require(Token token, boolean legal, String rule) {
        if (!legal) {
            throw new Refusal(token.at(), rule + ", got " + token.shown());
        }
    }
}
