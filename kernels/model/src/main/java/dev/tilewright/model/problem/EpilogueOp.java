package dev.tilewright.model.problem;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Optional;

/**
 * One step between the sums of a multiplication and D, as an epilogue is written: {@code bias}, {@code alpha=2}. A step
 * owns its text, its meaning and its error; {@code EpilogueSteps} has the code for it in a kernel.
 */
public sealed interface EpilogueOp {

    /** The steps, for messages. */
    String KNOWN = "alpha=F, beta=F, bias, bias-m, " + Activation.KNOWN + " and clamp=LOW..HIGH";

    /**
     * Numbers that an epilogue reads beside a sum.
     *
     * @param scale product of the scales of its row and of its column, where rows have scales
     */
    record Addends<V>(V scale, V bias, V c) {}

    /** A step applied to a number: its result, and the error of a kernel that computes the step in f32. */
    sealed interface Effect<V> {

        /** Multiplied: errors grow alike. */
        record Product<V>(V factor) implements Effect<V> {}

        /** Added: each addition is rounded. */
        record Sum<V>(V summand) implements Effect<V> {}

        /** Exact, and errors do not grow. */
        record Exact<V>(V value) implements Effect<V> {}

        /** Errors grow by the slope of the function, and its own ones are added. */
        record Function<V>(V value, Activation function) implements Effect<V> {}
    }

    /**
     * The effect on a number.
     *
     * @param x sum of products, behind the steps before
     */
    <V> Effect<V> on(V x, Addends<V> addends, Arithmetic<V> in);

    /** Numbers that are rounded in the step. */
    int roundings();

    /** Whether whole numbers of a few hundred come out exact. */
    boolean isExact();

    /**
     * Multiplied with the scales of its row of A and of its row of B. Scales are of the problem: no text of an epilogue
     * has this step.
     */
    record RowScales() implements EpilogueOp {

        @Override
        public <V> Effect<V> on(V x, Addends<V> addends, Arithmetic<V> in) {
            return new Effect.Product<>(addends.scale);
        }

        @Override
        public int roundings() {
            return 2;
        }

        /** Of scales that are powers of two near 1, as those beside whole numbers are. */
        @Override
        public boolean isExact() {
            return true;
        }

        @Override
        public String toString() {
            return "scales of rows";
        }
    }

    /** {@code alpha=F}: multiplied with a number. */
    record Alpha(double factor) implements EpilogueOp {
        public Alpha {
            requireFinite("alpha", factor);
        }

        @Override
        public <V> Effect<V> on(V x, Addends<V> addends, Arithmetic<V> in) {
            return new Effect.Product<>(in.passed(factor));
        }

        @Override
        public int roundings() {
            return factor == 1 ? 0 : 1;
        }

        @Override
        public boolean isExact() {
            return isFine(factor);
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
        public <V> Effect<V> on(V x, Addends<V> addends, Arithmetic<V> in) {
            return new Effect.Sum<>(in.times(in.passed(factor), addends.c));
        }

        @Override
        public int roundings() {
            return 2;
        }

        @Override
        public boolean isExact() {
            return isFine(factor);
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
        public <V> Effect<V> on(V x, Addends<V> addends, Arithmetic<V> in) {
            return new Effect.Sum<>(addends.bias);
        }

        @Override
        public int roundings() {
            return 1;
        }

        @Override
        public boolean isExact() {
            return true;
        }

        @Override
        public String toString() {
            return along == Major.N ? "bias" : "bias-m";
        }
    }

    /** A function of one number, by its name. */
    record Activate(Activation function) implements EpilogueOp {

        @Override
        public <V> Effect<V> on(V x, Addends<V> addends, Arithmetic<V> in) {
            return new Effect.Function<>(function.of(in, x), function);
        }

        @Override
        public int roundings() {
            return 0;
        }

        @Override
        public boolean isExact() {
            return function.roundings() == 0;
        }

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
        public <V> Effect<V> on(V x, Addends<V> addends, Arithmetic<V> in) {
            return new Effect.Exact<>(in.atMost(in.atLeast(x, in.passed(low)), in.passed(high)));
        }

        @Override
        public int roundings() {
            return 0;
        }

        @Override
        public boolean isExact() {
            return isFine(low) && isFine(high);
        }

        @Override
        public String toString() {
            return "clamp=" + plain(low) + ".." + plain(high);
        }
    }

    /**
     * Reads one step.
     *
     * @throws IllegalArgumentException naming the step and the rule
     */
    static EpilogueOp parse(String step) {
        int equals = step.indexOf('=');
        String name = equals < 0 ? step : step.substring(0, equals);
        String value = step.substring(equals < 0 ? step.length() : equals + 1);
        return switch (name) {
            case "alpha" -> new Alpha(number(step, value));
            case "beta" -> new Beta(number(step, value));
            case "clamp" -> clamp(step, value);
            default -> {
                EpilogueOp op = named(name)
                        .orElseThrow(() -> new IllegalArgumentException(
                                "unknown step '" + step + "' of an epilogue; known: " + KNOWN));
                if (equals >= 0) {
                    throw new IllegalArgumentException(name + " takes no value, got '" + step + "'");
                }
                yield op;
            }
        };
    }

    private static Optional<EpilogueOp> named(String name) {
        return switch (name) {
            case "bias" -> Optional.of(new Bias(Major.N));
            case "bias-m" -> Optional.of(new Bias(Major.M));
            case "gelu" -> Optional.of(new Activate(Activation.GELU_TANH));
            default ->
                Arrays.stream(Activation.values())
                        .filter(function -> function.toString().equals(name))
                        .<EpilogueOp>map(Activate::new)
                        .findFirst();
        };
    }

    private static EpilogueOp clamp(String step, String value) {
        int dots = value.indexOf("..");
        if (dots < 0) {
            throw new IllegalArgumentException("clamp is written clamp=LOW..HIGH, got '" + step + "'");
        }
        return new Clamp(number(step, value.substring(0, dots)), number(step, value.substring(dots + 2)));
    }

    private static double number(String step, String value) {
        try {
            return Double.parseDouble(value);
        } catch (NumberFormatException none) {
            throw new IllegalArgumentException("'" + value + "' is not a number, in the step '" + step + "'", none);
        }
    }

    /** A multiple of 1/256 that is not large leaves whole numbers exact. */
    private static boolean isFine(double factor) {
        return Math.abs(factor) <= 256 && factor * 256 == Math.rint(factor * 256);
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
