package dev.tilewright.results;

import java.math.BigDecimal;
import java.util.regex.Pattern;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The kind of a node of a document. A file has the ordinal of the constant: add new constants at the end. */
enum Kind {
    NULL(null),
    TRUE(null),
    FALSE(null),
    /** A whole number of 64 bits. */
    WHOLE(Coder.DIFFERENCES),
    /** A number with a point or an exponent, as a double. */
    REAL(Coder.PLANES),
    TEXT(Coder.TEXTS),
    /** A text of 64 lower-case hexadecimal digits. */
    HASH(Coder.HASHES),
    UUID(Coder.UUIDS),
    /** An array: its length; the elements are in a column of their own. */
    ARRAY(Coder.DIFFERENCES),
    /** An array of whole numbers alone, and not empty. */
    ROW(Coder.ROWS),
    /** An object: its names; each has a column of its own. */
    OBJECT(Coder.NAMES);

    static final int HASH_BYTES = 32;

    private static final Pattern HASH_DIGITS = Pattern.compile("[0-9a-f]{" + 2 * HASH_BYTES + "}");
    private static final Pattern UUID_DIGITS =
            Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");

    private final @Nullable Coder<?> coder;

    Kind(@Nullable Coder<?> coder) {
        this.coder = coder;
    }

    /** How its values are written; {@code null} where the kind says everything. */
    @SuppressWarnings("unchecked")
    @Nullable
    Coder<Object> coder() {
        return (Coder<Object>) coder;
    }

    /** @throws IllegalArgumentException for what no file can hold, such as a whole number of more than 64 bits */
    static Kind of(JsonNode node) {
        return switch (node.getNodeType()) {
            case NULL -> NULL;
            case BOOLEAN -> node.booleanValue() ? TRUE : FALSE;
            case NUMBER -> ofNumber(node);
            case STRING -> ofText(node.stringValue());
            case ARRAY -> isRow(node) ? ROW : ARRAY;
            case OBJECT -> OBJECT;
            case MISSING, BINARY, POJO ->
                throw new IllegalArgumentException("no JSON: " + node.getNodeType() + " " + node);
        };
    }

    private static Kind ofNumber(JsonNode node) {
        if (node.isIntegralNumber() && node.canConvertToLong()) {
            return WHOLE;
        }
        if (node.isFloatingPointNumber() && isDouble(node)) {
            return REAL;
        }
        throw new IllegalArgumentException("a number is whole with at most 64 bits, or a double, got " + node);
    }

    /** A decimal is one if the shortest text of the double is the same number. */
    private static boolean isDouble(JsonNode node) {
        if (!node.isBigDecimal()) {
            return Double.isFinite(node.doubleValue());
        }
        double nearest = node.decimalValue().doubleValue();
        return Double.isFinite(nearest) && new BigDecimal(Double.toString(nearest)).compareTo(node.decimalValue()) == 0;
    }

    private static Kind ofText(String text) {
        return HASH_DIGITS.matcher(text).matches()
                ? HASH
                : UUID_DIGITS.matcher(text).matches() ? UUID : TEXT;
    }

    private static boolean isRow(JsonNode array) {
        return !array.isEmpty()
                && StreamSupport.stream(array.spliterator(), false)
                        .allMatch(element -> element.isIntegralNumber() && element.canConvertToLong());
    }
}
