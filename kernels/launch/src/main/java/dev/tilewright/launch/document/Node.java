package dev.tilewright.launch.document;

import dev.tilewright.launch.expression.Bindings;
import dev.tilewright.launch.expression.Expression;
import dev.tilewright.launch.expression.ExpressionException;
import dev.tilewright.launch.expression.Holes;
import dev.tilewright.launch.expression.Value;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * A value of a document. Its readers throw {@link DocumentException} where it is of another type than asked for. In a
 * scope, an expression may stand wherever a number is read, and a text may have holes.
 */
public sealed interface Node {
    Position at();

    /** How the value is named in an error. */
    String shown();

    /** Keys and their values, in their order. */
    record Mapping(Position at, Map<String, Node> entries) implements Node {
        public Mapping {
            entries = new LinkedHashMap<>(entries);
        }

        @Override
        public String shown() {
            return "a mapping";
        }

        /** Requires that there are no other keys than these. */
        public Mapping only(String... keys) {
            List<String> known = List.of(keys);
            entries.forEach((key, value) -> {
                if (!known.contains(key)) {
                    throw value.at().wrong("unknown key '" + key + "'; known: " + String.join(", ", known));
                }
            });
            return this;
        }

        @Override
        public Mapping within(Bindings scope) {
            Map<String, Node> scoped = new LinkedHashMap<>();
            entries.forEach((key, value) -> scoped.put(key, value.within(scope)));
            return new Mapping(at, scoped);
        }

        public Optional<Node> find(String key) {
            return Optional.ofNullable(entries.get(key));
        }

        public Node get(String key) {
            return find(key).orElseThrow(() -> at.wrong("needs the key '" + key + "'"));
        }
    }

    /** Values in their order. */
    record Items(Position at, List<Node> items) implements Node {
        public Items {
            items = List.copyOf(items);
        }

        @Override
        public String shown() {
            return "a list of " + items.size();
        }
    }

    /** The kind of a scalar, by its spelling. */
    enum Kind {
        TEXT,
        NUMBER,
        BOOLEAN,
        NULL
    }

    /**
     * One value.
     *
     * @param written as in the file, without quotes
     * @param scope what the names in a text stand for; empty where a text is only a text
     */
    record Scalar(Position at, Kind kind, String written, Optional<Bindings> scope) implements Node {
        public Scalar(Position at, Kind kind, String written) {
            this(at, kind, written, Optional.empty());
        }

        @Override
        public String shown() {
            return kind == Kind.NULL ? "null" : kind == Kind.TEXT ? "'" + written + "'" : written;
        }
    }

    /** Decimal, without leading zeros; or hexadecimal bits. */
    Pattern INTEGER = Pattern.compile("[+-]?(0|[1-9][0-9]{0,30})|0x[0-9a-fA-F]{1,16}");

    /** The spelling of a number; a fraction and an exponent are allowed. */
    Pattern NUMBER = Pattern.compile("[+-]?([0-9]{1,40}\\.?[0-9]{0,40}|\\.[0-9]{1,40})([eE][+-]?[0-9]{1,4})?"
            + "|0x[0-9a-fA-F]{1,16}|[+-]?\\.?(inf|Inf|INF)|\\.?(nan|NaN|NAN)");

    /** The same in a scope. */
    default Node within(Bindings scope) {
        return switch (this) {
            case Mapping mapping -> mapping.within(scope);
            case Items(Position at, List<Node> items) ->
                new Items(at, items.stream().map(item -> item.within(scope)).toList());
            case Scalar(Position at, Kind kind, String written, var _) ->
                new Scalar(at, kind, written, kind == Kind.TEXT ? Optional.of(scope) : Optional.empty());
        };
    }

    /** The value of a text that is evaluated in a scope; empty for every other node. */
    default Optional<Value> evaluated() {
        return this instanceof Scalar(var _, Kind kind, String text, Optional<Bindings> scope) && kind == Kind.TEXT
                ? scope.map(names -> valid(() -> Expression.parse(text).value(names)))
                : Optional.empty();
    }

    private <T> T valid(Supplier<T> made) {
        try {
            return made.get();
        } catch (ExpressionException wrong) {
            DocumentException here = at().wrong("expression " + wrong.getMessage());
            here.initCause(wrong);
            throw here;
        }
    }

    default Mapping mapping() {
        if (this instanceof Mapping mapping) {
            return mapping;
        }
        throw at().wrong("must be a mapping, got " + shown());
    }

    default List<Node> items() {
        if (this instanceof Items items) {
            return items.items();
        }
        throw at().wrong("must be a list, got " + shown());
    }

    default String text() {
        if (this instanceof Scalar(var _, Kind kind, String text, Optional<Bindings> scope) && kind == Kind.TEXT) {
            return scope.map(names -> valid(() -> Holes.filled(text, names))).orElse(text);
        }
        throw at().wrong("must be text, got " + shown());
    }

    /** The one of these that is written as they are. */
    default <T> T oneOf(List<T> known) {
        String text = text();
        return known.stream()
                .filter(each -> each.toString().equals(text))
                .findFirst()
                .orElseThrow(() -> at().wrong("must be one of " + known + ", got " + shown()));
    }

    default boolean flag() {
        if (this instanceof Scalar(var _, Kind kind, String text, var _) && kind == Kind.BOOLEAN) {
            return Boolean.parseBoolean(text);
        }
        if (evaluated().orElse(null) instanceof Value.Truth(boolean value)) {
            return value;
        }
        throw at().wrong("must be true or false, got " + shown());
    }

    /** A number as written. Hexadecimal bits, infinities and NaN may be quoted, for JSON has no other way. */
    default String number() {
        if (this instanceof Scalar(var _, Kind kind, String text, var _)
                && NUMBER.matcher(text).matches()) {
            boolean plain = Character.isDigit(text.charAt(text.length() - 1)) && !text.startsWith("0x");
            // YAML readers differ on what of 1e-3 is a number; it is one.
            if (kind == Kind.NUMBER || !plain || text.contains("e") || text.contains("E")) {
                return text;
            }
        }
        if (evaluated().orElse(null) instanceof Value.Whole whole) {
            return whole.toString();
        }
        throw at().wrong("must be a number, got " + shown());
    }

    /** An integer in a range. */
    default long integer(long low, long high) {
        String rule = "must be an integer of " + low + ".." + high + ", got ";
        Optional<Value> expressed = isBits() ? Optional.empty() : evaluated();
        if (expressed.isPresent()) {
            if (expressed.get() instanceof Value.Whole(long value) && value >= low && value <= high) {
                return value;
            }
            throw at().wrong(rule + shown() + ", which is " + expressed.get());
        }
        if (!(this instanceof Scalar(var _, Kind kind, String text, var _))
                || !INTEGER.matcher(text).matches()
                || (kind != Kind.NUMBER && !text.startsWith("0x"))) {
            throw at().wrong(rule + shown());
        }
        BigInteger value = text.startsWith("0x") ? new BigInteger(text.substring(2), 16) : new BigInteger(text);
        if (value.compareTo(BigInteger.valueOf(low)) < 0 || value.compareTo(BigInteger.valueOf(high)) > 0) {
            throw at().wrong(rule + text);
        }
        return value.longValue();
    }

    /** Whether it is written as hexadecimal bits, which are text in a document. */
    private boolean isBits() {
        return this instanceof Scalar scalar && scalar.written().startsWith("0x");
    }

    /** An integer in a range of ints. */
    default int small(int low, int high) {
        return (int) integer(low, high);
    }

    /** A finite decimal number. */
    default double decimal() {
        String text = number();
        try {
            double value = new BigDecimal(text).doubleValue();
            if (!Double.isInfinite(value)) {
                return value;
            }
        } catch (NumberFormatException notDecimal) {
            // Said below.
        }
        throw at().wrong("must be a finite decimal number, got " + shown());
    }
}
