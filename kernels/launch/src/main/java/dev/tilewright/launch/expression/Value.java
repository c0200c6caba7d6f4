package dev.tilewright.launch.expression;

/** The value of an expression. */
public sealed interface Value {

    /** A whole number. */
    record Whole(long value) implements Value {
        @Override
        public String toString() {
            return Long.toString(value);
        }
    }

    /** A word, such as the value of a parameter that is none of numbers. */
    record Word(String value) implements Value {
        @Override
        public String toString() {
            return value;
        }
    }

    /** The value of a comparison. */
    record Truth(boolean value) implements Value {
        @Override
        public String toString() {
            return Boolean.toString(value);
        }
    }
}
