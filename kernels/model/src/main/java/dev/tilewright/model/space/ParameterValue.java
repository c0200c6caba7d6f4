package dev.tilewright.model.space;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

/** A value of a parameter: a whole number or a name. Written as a JSON number or string. */
public sealed interface ParameterValue extends Comparable<ParameterValue> {

    /** A whole number, such as a tile extent. */
    record Whole(int value) implements ParameterValue {
        @Override
        public Object json() {
            return value;
        }

        @Override
        public String toString() {
            return Integer.toString(value);
        }
    }

    /** One of a fixed set of names, such as a tile scheduler. */
    record Name(String value) implements ParameterValue {
        public Name {
            if (value.isBlank()) {
                throw new IllegalArgumentException("the name of a value must not be blank");
            }
        }

        @Override
        public Object json() {
            return value;
        }

        @Override
        public String toString() {
            return value;
        }
    }

    /** The value as JSON has it: an {@link Integer} or a {@link String}. */
    @JsonValue
    Object json();

    /**
     * The whole number.
     *
     * @throws IllegalArgumentException naming the parameter and the value if it is a name
     */
    default int whole(String parameter) {
        return switch (this) {
            case Whole(int value) -> value;
            case Name(String value) ->
                throw new IllegalArgumentException(parameter + " must be a whole number, got '" + value + "'");
        };
    }

    /**
     * The name.
     *
     * @throws IllegalArgumentException naming the parameter and the value if it is a whole number
     */
    default String name(String parameter) {
        return switch (this) {
            case Name(String value) -> value;
            case Whole(int value) -> throw new IllegalArgumentException(parameter + " must be a name, got " + value);
        };
    }

    static ParameterValue of(int value) {
        return new Whole(value);
    }

    static ParameterValue of(String value) {
        return new Name(value);
    }

    /** Reads what a person typed: digits are a number, everything else is a name. */
    static ParameterValue parse(String text) {
        return text.matches("-?\\d{1,9}") ? of(Integer.parseInt(text)) : of(text);
    }

    /**
     * Reads a JSON number or string.
     *
     * @throws IllegalArgumentException if it is neither
     */
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    static ParameterValue fromJson(Object json) {
        return switch (json) {
            case Integer whole -> of(whole);
            case String name -> of(name);
            default ->
                throw new IllegalArgumentException("a parameter's value is a whole number or a name, got " + json);
        };
    }

    /** Numbers before names, each in their own order. */
    @Override
    default int compareTo(ParameterValue other) {
        return switch (this) {
            case Whole(int mine) -> other instanceof Whole(int theirs) ? Integer.compare(mine, theirs) : -1;
            case Name(String mine) -> other instanceof Name(String theirs) ? mine.compareTo(theirs) : 1;
        };
    }
}
