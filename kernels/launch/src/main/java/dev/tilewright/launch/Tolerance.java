package dev.tilewright.launch;

import dev.tilewright.launch.element.ElementType;

/** How far a value may be from the expected one. */
public sealed interface Tolerance {

    /** Not at all, once the expected value is rounded to the type; all NaN are one, and both zeros. */
    record Exact() implements Tolerance {
        @Override
        public String toString() {
            return "exact";
        }
    }

    /**
     * {@code relative * |expected| + c * sqrt(K) * 2^-24 * sum|a*b|}: for GEMMs.
     *
     * @param relative the rounding of the result
     * @param c the accumulation in f32
     */
    record Bound(double relative, double c) implements Tolerance {

        /** As {@code ErrorBound} has it: f32 results are compared more closely, so the sums matter more. */
        private static final double WIDE_C = 2;

        /** The usual one for results of a type of float. */
        public static Bound of(ElementType type) {
            boolean wide = type.bytes() >= Float.BYTES;
            return new Bound(wide ? 2 * type.halfUnit() : type.halfUnit(), wide ? WIDE_C : 1);
        }

        @Override
        public String toString() {
            return "bound " + relative + " |expected| + " + c + " sqrt(K) 2^-24 sum|ab|";
        }
    }

    /** {@code absolute + relative * |expected|}. */
    record Within(double absolute, double relative) implements Tolerance {
        @Override
        public String toString() {
            return absolute + " + " + relative + " |expected|";
        }
    }
}
