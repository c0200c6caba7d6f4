package dev.tilewright.testing;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Function;

/**
 * Draws values from a seed. Ends of ranges and small values, where faults gather, come far more often than a uniform
 * draw would bring them.
 */
public final class Draw {

    private final Random random;

    /** Equal seeds draw equal values. */
    public Draw(long seed) {
        this.random = new Random(seed);
    }

    /** A whole number, both ends included. */
    public int between(int min, int max) {
        return (int) between((long) min, (long) max);
    }

    /** A whole number, both ends included. */
    public long between(long min, long max) {
        if (min > max) {
            throw new IllegalArgumentException("the range of a draw must not be empty, got " + min + " to " + max);
        }
        if (min == max) {
            return min;
        }
        return switch (random.nextInt(16)) {
            case 0 -> min;
            case 1 -> max;
            case 2, 3, 4 -> nearZero(min, max);
            default -> uniform(min, max);
        };
    }

    private long uniform(long min, long max) {
        return max == Long.MAX_VALUE
                ? min == Long.MIN_VALUE ? random.nextLong() : random.nextLong(min - 1, max) + 1
                : random.nextLong(min, max + 1);
    }

    /** A value of a size that is drawn first, from the value of the range that is the nearest to 0. */
    private long nearZero(long min, long max) {
        long size = random.nextLong() >>> 1 + random.nextInt(63);
        if (min > 0) {
            return min + Math.min(size, max - min);
        }
        if (max < 0) {
            return max - Math.min(size, max - min);
        }
        return random.nextBoolean() ? Math.min(size, max) : Math.max(-size, min);
    }

    /** A number, both ends included. */
    public double between(double min, double max) {
        return switch (random.nextInt(16)) {
            case 0 -> min;
            case 1 -> max;
            default -> min + random.nextDouble() * (max - min);
        };
    }

    /** Any bits of a double, infinities and NaN among them; half of the draws are of moderate size. */
    public double anyDouble() {
        return random.nextBoolean() ? Double.longBitsToDouble(random.nextLong()) : random.nextGaussian() * 1e3;
    }

    /** Any bits of a float, infinities and NaN among them; half of the draws are of moderate size. */
    public float anyFloat() {
        return random.nextBoolean() ? Float.intBitsToFloat(random.nextInt()) : (float) (random.nextGaussian() * 1e3);
    }

    /** Any whole number of 64 bits. */
    public long anyLong() {
        return between(Long.MIN_VALUE, Long.MAX_VALUE);
    }

    /** One of two. */
    public boolean either() {
        return random.nextBoolean();
    }

    /** One of the values. */
    @SafeVarargs
    public final <T> T of(T... values) {
        return values[random.nextInt(values.length)];
    }

    /** A list of a drawn length, both ends included. */
    public <T> List<T> list(int shortest, int longest, Function<Draw, T> element) {
        int length = between(shortest, longest);
        List<T> drawn = new ArrayList<>(length);
        for (int i = 0; i < length; i++) {
            drawn.add(element.apply(this));
        }
        return List.copyOf(drawn);
    }

    /** A text of characters of an alphabet. */
    public String text(int shortest, int longest, String alphabet) {
        StringBuilder text = new StringBuilder();
        list(shortest, longest, draw -> alphabet.charAt(draw.random.nextInt(alphabet.length())))
                .forEach(text::append);
        return text.toString();
    }

    /** A text of any characters of the basic plane but surrogates. */
    public String text(int shortest, int longest) {
        StringBuilder text = new StringBuilder();
        list(
                        shortest,
                        longest,
                        draw -> draw.either()
                                ? (char) draw.between(0x20, 0x7e)
                                : (char) (draw.either() ? draw.between(0, 0xd7ff) : draw.between(0xe000, 0xffff)))
                .forEach(text::append);
        return text.toString();
    }

    /** Some of all, in their order. */
    public <T> List<T> some(Collection<T> all, int count) {
        List<T> list = List.copyOf(all);
        List<Integer> indices = new ArrayList<>();
        for (int i = 0; i < list.size(); i++) {
            indices.add(i);
        }
        Collections.shuffle(indices, random);
        return indices.stream().limit(count).sorted().map(list::get).toList();
    }
}
