package dev.tilewright.model.problem;

import java.math.BigDecimal;

/** One step between the sums of a multiplication and D, as an epilogue is written: {@code bias}, {@code alpha=2}. */
public sealed interface EpilogueOp {

    /** {@code alpha=F}: multiplied with a number. */
    record Alpha(double factor) implements EpilogueOp {
        public Alpha {
            requireFinite("alpha", factor);
        }

        @Override
        public String toString() {
            return "alpha=" + plain(factor);
        }
    }

    /** {@code beta=F}: the element of C is added, multiplied with a number. C has the shape, type and layout of D. */
    record Beta(double factor) implements EpilogueOp {
        public Beta {
            requireFinite("beta", factor);
        }

        @Override
        public String toString() {
            return "beta=" + plain(factor);
        }
    }

    /**
     * {@code bias}, a number for each column of D, or {@code bias-m}, one for each row, of the type of D.
     *
     * @param along N or M
     */
    record Bias(Major along) implements EpilogueOp {
        public Bias {
            if (along == Major.K) {
                throw new IllegalArgumentException("a bias runs along n or m, got k");
            }
        }

        @Override
        public String toString() {
            return along == Major.N ? "bias" : "bias-m";
        }
    }

    /** A function of one number, by its name. */
    record Activate(Activation function) implements EpilogueOp {
        @Override
        public String toString() {
            return function.toString();
        }
    }

    /** {@code clamp=LOW..HIGH}: no less and no more. */
    record Clamp(double low, double high) implements EpilogueOp {
        public Clamp {
            requireFinite("clamp", low);
            requireFinite("clamp", high);
            if (low > high) {
                throw new IllegalArgumentException(
                        "clamp must be LOW..HIGH with the lower one first, got " + plain(low) + ".." + plain(high));
            }
        }

        @Override
        public String toString() {
            return "clamp=" + plain(low) + ".." + plain(high);
        }
    }

    private static void requireFinite(String name, double value) {
        if (!Double.isFinite(value)) {
            throw new IllegalArgumentException(name + " must be a finite number, got " + value);
        }
    }

    /** Shortest decimal, without an exponent. */
    private static String plain(double value) {
        return BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
    }
}
