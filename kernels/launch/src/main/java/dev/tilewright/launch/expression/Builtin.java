package dev.tilewright.launch.expression;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** A function that an expression can call; written in lower case. */
enum Builtin {
    CEILDIV(2),
    ROUNDUP(2),
    MIN(2),
    MAX(2),
    LOG2(1),
    ISPOW2(1);

    private final int arguments;

    Builtin(int arguments) {
        this.arguments = arguments;
    }

    static Optional<Builtin> named(String name) {
        return Arrays.stream(values())
                .filter(function -> function.toString().equals(name))
                .findFirst();
    }

    int arguments() {
        return arguments;
    }

    /**
     * The value for whole numbers.
     *
     * @throws ArithmeticException saying why there is none
     */
    Value of(List<Long> given) {
        long first = given.getFirst();
        long last = given.getLast();
        return switch (this) {
            case CEILDIV -> new Value.Whole(Math.ceilDivExact(first, positive(last)));
            case ROUNDUP -> new Value.Whole(Math.multiplyExact(Math.ceilDivExact(first, positive(last)), last));
            case MIN -> new Value.Whole(Math.min(first, last));
            case MAX -> new Value.Whole(Math.max(first, last));
            case LOG2 -> {
                if (!isPowerOfTwo(first)) {
                    throw new ArithmeticException("log2 takes a power of two, got " + first);
                }
                yield new Value.Whole(Long.numberOfTrailingZeros(first));
            }
            case ISPOW2 -> new Value.Truth(isPowerOfTwo(first));
        };
    }

    private long positive(long divisor) {
        if (divisor < 1) {
            throw new ArithmeticException(this + " takes a divisor of at least 1, got " + divisor);
        }
        return divisor;
    }

    private static boolean isPowerOfTwo(long value) {
        return value > 0 && Long.bitCount(value) == 1;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
