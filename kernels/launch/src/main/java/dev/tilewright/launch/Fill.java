package dev.tilewright.launch;

import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;

/** The content of a buffer before the launch. */
public sealed interface Fill {

    /** It is not initialised: a kernel that reads it is wrong. */
    record Uninitialised() implements Fill {
        @Override
        public String toString() {
            return "uninitialised";
        }
    }

    /** A NaN, or a pattern for integers: what stays of it after the launch was not written. */
    record Poison() implements Fill {
        @Override
        public String toString() {
            return "poison";
        }
    }

    /** All bits 0. */
    record Zeros() implements Fill {
        @Override
        public String toString() {
            return "zeros";
        }
    }

    /** One value everywhere, as bits of the type. */
    record Constant(long bits, String text) implements Fill {
        @Override
        public String toString() {
            return "constant " + text;
        }
    }

    /** {@code start + i * step} for the i-th element. */
    record Iota(double start, double step) implements Fill {
        @Override
        public String toString() {
            return "iota from " + start + " by " + step;
        }
    }

    /** 1 where the last two indices are equal, else 0. */
    record Identity() implements Fill {
        @Override
        public String toString() {
            return "identity";
        }
    }

    /** Normal numbers; without a seed others in each run. */
    record Normal(OptionalLong seed, double mean, double deviation) implements Fill {
        @Override
        public String toString() {
            return "normal mean " + mean + " deviation " + deviation + seedText(seed);
        }
    }

    /** Whole numbers of {@code low..high}, all as likely; without a seed others in each run. */
    record Integers(OptionalLong seed, long low, long high) implements Fill {
        @Override
        public String toString() {
            return "integers " + low + ".." + high + seedText(seed);
        }
    }

    /**
     * Positive numbers of {@code low..high} whose logarithms are all as likely, as scales are; without a seed others in
     * each run.
     */
    record LogUniform(OptionalLong seed, double low, double high) implements Fill {
        @Override
        public String toString() {
            return "log-uniform " + low + ".." + high + seedText(seed);
        }
    }

    /**
     * Elements one behind the other, without what lies between rows.
     *
     * @param content little-endian, never written to
     * @param source where they come from, for people
     */
    record Packed(byte[] content, String source) implements Fill {
        @Override
        public boolean equals(Object other) {
            return other instanceof Packed p && Arrays.equals(content, p.content) && source.equals(p.source);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(content) * 31 + source.hashCode();
        }

        @Override
        public String toString() {
            return source;
        }
    }

    /** Numbers, pointers and tensor maps at their offsets in bytes; bytes between them are 0. */
    record Fields(List<KernelParameter.Field> fields) implements Fill {
        public Fields {
            fields = List.copyOf(fields);
        }

        @Override
        public String toString() {
            return fields.size() + " fields";
        }
    }

    private static String seedText(OptionalLong seed) {
        return seed.isPresent() ? " seed " + seed.getAsLong() : "";
    }

    /** Whether each run has other data. */
    default boolean varies() {
        return switch (this) {
            case Normal(OptionalLong seed, double _, double _) -> seed.isEmpty();
            case Integers(OptionalLong seed, long _, long _) -> seed.isEmpty();
            case LogUniform(OptionalLong seed, double _, double _) -> seed.isEmpty();
            case Uninitialised _, Poison _, Zeros _, Constant _, Iota _, Identity _, Packed _, Fields _ -> false;
        };
    }
}
