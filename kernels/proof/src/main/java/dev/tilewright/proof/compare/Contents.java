package dev.tilewright.proof.compare;

import dev.tilewright.launch.BufferDescription;
import dev.tilewright.launch.Fill;
import dev.tilewright.launch.element.ElementType;
import dev.tilewright.launch.element.Elements;
import java.util.OptionalLong;
import java.util.SplittableRandom;

/** Makes the bytes of a buffer. */
public final class Contents {
    /** Bits of an element by its index. */
    @FunctionalInterface
    private interface Rule {
        long bits(int row, int column);
    }

    private Contents() {}

    /**
     * The bytes before the launch; what lies between rows is poisoned.
     *
     * @param runSeed what random content without a seed of its own follows
     */
    public static byte[] of(BufferDescription buffer, long runSeed) {
        ElementType type = buffer.type();
        Rule rule = rule(buffer, runSeed);
        byte[] bytes = new byte[Math.toIntExact(buffer.bytes())];
        for (int row = 0; row < buffer.rows(); row++) {
            for (int column = 0; column < buffer.rowStride(); column++) {
                long bits = column < buffer.columns() ? rule.bits(row, column) : type.poison();
                Elements.put(bytes, buffer.offset(row, column), type, bits);
            }
        }
        return bytes;
    }

    private static Rule rule(BufferDescription buffer, long runSeed) {
        ElementType type = buffer.type();
        int columns = buffer.columns();
        return switch (buffer.fill()) {
            case Fill.Uninitialised _, Fill.Poison _ -> (row, column) -> type.poison();
            // What the fields are, the launch fills in.
            case Fill.Zeros _, Fill.Fields _ -> (row, column) -> 0;
            case Fill.Constant(long bits, String _) -> (row, column) -> bits;
            case Fill.Iota(double start, double step) ->
                (row, column) -> type.encode(start + step * ((long) row * columns + column));
            case Fill.Identity _ -> {
                long one = type.encode(1);
                // Of a vector, the outer index is 0; of a batch, each matrix is one.
                int height = Math.toIntExact(
                        buffer.shape().size() < 2
                                ? 1
                                : buffer.shape().get(buffer.shape().size() - 2));
                yield (row, column) -> row % height == column ? one : 0;
            }
            case Fill.Normal(OptionalLong seed, double mean, double deviation) -> {
                SplittableRandom random = random(buffer, seed, runSeed);
                yield (row, column) -> type.encode(mean + deviation * random.nextGaussian());
            }
            case Fill.Integers(OptionalLong seed, long low, long high) -> {
                SplittableRandom random = random(buffer, seed, runSeed);
                yield (row, column) -> type.encode(random.nextLong(low, high + 1));
            }
            case Fill.LogUniform(OptionalLong seed, double low, double high) -> {
                SplittableRandom random = random(buffer, seed, runSeed);
                yield (row, column) -> type.encode(low * Math.pow(high / low, random.nextDouble()));
            }
            case Fill.Packed packed ->
                (row, column) -> Elements.get(packed.content(), (row * columns + column) * type.bytes(), type);
        };
    }

    /** Two buffers of one run must not hold the same numbers. */
    private static SplittableRandom random(BufferDescription buffer, OptionalLong seed, long runSeed) {
        return new SplittableRandom(
                seed.orElse(runSeed * 0x9E37_79B9_7F4A_7C15L + buffer.name().hashCode()));
    }
}
