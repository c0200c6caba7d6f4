package dev.tilewright.worker.gpu.sums;

import dev.tilewright.ptx.type.Element;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongUnaryOperator;

/**
 * Inputs made to show how wgmma adds up, in tiles of 64 x 8 x 32 bytes. Exponents of a tile spread from not at all to
 * over all that its types have, alike in all 16 tiles of a quarter: accumulators as large as products; none; some, with
 * zeros among the products; all of one sign and large. Of the last tiles, 58 and 59 have products of zeros, and of 60
 * to 63 the accumulators, then A, then B are any bits.
 *
 * <p>All numbers come from one counter that is hashed, so that whoever counts alike has the same inputs.
 *
 * @param a 64 rows of 32 bytes for each tile
 * @param b 8 columns of 32 bytes
 * @param c 64 rows of 8 accumulators of f32
 */
record SumInputs(Pair pair, byte[] a, byte[] b, byte[] c) {

    static final int TILES = 64;
    static final int ROWS = 64;
    static final int COLUMNS = 8;
    static final int ROW_BYTES = 32;

    private static final Layout F32 = new Layout(8, 23);
    private static final int OF_ZEROS = 58;
    private static final int ANY_C = 58;
    private static final int BEHIND_ZEROS = 60;
    private static final int ANY_A = 62;
    private static final int ANY_B = 63;

    /** Types of A and B. */
    record Pair(Element a, Element b) {}

    /** All pairs whose sums in f32 are measured, in the order in which their inputs are counted. */
    static final List<Pair> PAIRS = List.of(
            new Pair(Element.E4M3, Element.E4M3),
            new Pair(Element.E5M2, Element.E5M2),
            new Pair(Element.E4M3, Element.E5M2),
            new Pair(Element.E5M2, Element.E4M3),
            new Pair(Element.BF16, Element.BF16),
            new Pair(Element.F16, Element.F16),
            new Pair(Element.TF32, Element.TF32));

    /** Bits of an element beside its sign. A tf32 has those of an f32, of which the last do not count. */
    private record Layout(int exponent, int mantissa) {
        static Layout of(Element type) {
            return switch (type) {
                case E4M3 -> new Layout(4, 3);
                case E5M2 -> new Layout(5, 2);
                case F16 -> new Layout(5, 10);
                case BF16 -> new Layout(8, 7);
                case TF32 -> F32;
                case F32, F64, S8, U8, S32 -> throw new IllegalArgumentException("no pair has " + type);
            };
        }

        int bytes() {
            return (1 + exponent + mantissa) / Byte.SIZE;
        }
    }

    /**
     * How numbers are drawn.
     *
     * @param spread exponents lie so far around the middle
     * @param middle above that of 1
     * @param zeros of 8 numbers
     */
    private record Drawn(int spread, boolean signed, int middle, int zeros) {}

    /** Hashes of one number after the other: splitmix64 without its last bit. */
    private static final class Counter {
        private long next;

        Counter(long first) {
            next = first;
        }

        long draw() {
            long z = next++ * 0x9E3779B97F4A7C15L;
            z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
            z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
            return (z ^ z >>> 31) >>> 1;
        }

        byte[] draw(Layout layout, int bytes, Drawn how) {
            LongUnaryOperator bits = z -> {
                long sign = how.signed ? z >>> 62 << layout.exponent + layout.mantissa : 0;
                int bias = (1 << layout.exponent - 1) - 1;
                long off = (z & 0xFFFF) * (2L * how.spread + 1) >>> 16;
                long exponent = Math.clamp(bias + how.middle - how.spread + off, 0, (1 << layout.exponent) - 2);
                long mantissa = z >>> 20 & (1L << layout.mantissa) - 1;
                return (z >>> 48 & 7) < how.zeros ? 0 : sign | exponent << layout.mantissa | mantissa;
            };
            return fill(bytes, layout.bytes(), bits);
        }

        byte[] words(int bytes) {
            return fill(bytes, Integer.BYTES, z -> z);
        }

        private byte[] fill(int bytes, int each, LongUnaryOperator bits) {
            ByteBuffer filled = ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
            while (filled.hasRemaining()) {
                long value = bits.applyAsLong(draw());
                for (int i = 0; i < each; i++) {
                    filled.put((byte) (value >>> Byte.SIZE * i));
                }
            }
            return filled.array();
        }
    }

    static SumInputs of(Pair pair) {
        Counter counter = new Counter(1 + before(pair));
        byte[] a = new byte[TILES * ROWS * ROW_BYTES];
        byte[] b = new byte[TILES * COLUMNS * ROW_BYTES];
        byte[] c = new byte[TILES * ROWS * COLUMNS * Float.BYTES];
        for (int tile = 0; tile < TILES; tile++) {
            Tile drawn = tile(pair, tile, counter);
            System.arraycopy(drawn.a, 0, a, tile * drawn.a.length, drawn.a.length);
            System.arraycopy(drawn.b, 0, b, tile * drawn.b.length, drawn.b.length);
            System.arraycopy(drawn.c, 0, c, tile * drawn.c.length, drawn.c.length);
        }
        return new SumInputs(pair, a, b, c);
    }

    private record Tile(byte[] a, byte[] b, byte[] c) {}

    private static Tile tile(Pair pair, int tile, Counter counter) {
        int step = tile % 8;
        int spread = step * (step + 1) / 4;
        int quarter = tile / 16;
        boolean signed = quarter < 3;
        int zerosOfA = tile / 8 % 2 * quarter * 2;
        int zerosOfC = List.of(0, 8, 3, 0).get(quarter);
        byte[] a = counter.draw(Layout.of(pair.a), ROWS * ROW_BYTES, new Drawn(spread, signed, 0, zerosOfA));
        byte[] b = counter.draw(Layout.of(pair.b), COLUMNS * ROW_BYTES, new Drawn(spread / 2, signed, 0, 0));
        int bytesOfC = ROWS * COLUMNS * Float.BYTES;
        byte[] c = counter.draw(F32, bytesOfC, new Drawn(spread + 2, signed, 3 * quarter, zerosOfC));
        byte[] anyC = counter.words(bytesOfC);
        byte[] anyA = counter.words(a.length);
        byte[] anyB = counter.words(b.length);
        if (tile >= OF_ZEROS && tile < BEHIND_ZEROS) {
            Arrays.fill(a, (byte) 0);
        }
        if (tile == ANY_C) {
            onlySigns(anyC);
        }
        return new Tile(tile >= ANY_A ? anyA : a, tile >= ANY_B ? anyB : b, tile >= ANY_C ? anyC : c);
    }

    /** Leaves +0 and -0. */
    private static void onlySigns(byte[] words) {
        for (int i = 0; i < words.length; i++) {
            words[i] = i % Float.BYTES == Float.BYTES - 1 ? (byte) (words[i] & 0x80) : 0;
        }
    }

    /** Numbers that the pairs before this one draw. */
    private static long before(Pair pair) {
        long drawn = 0;
        for (Pair each : PAIRS.subList(0, PAIRS.indexOf(pair))) {
            int elements = (ROWS + COLUMNS) * ROW_BYTES / Layout.of(each.a).bytes() + ROWS * COLUMNS;
            int words = ROWS * COLUMNS + (ROWS + COLUMNS) * ROW_BYTES / Integer.BYTES;
            drawn += (long) TILES * (elements + words);
        }
        return drawn;
    }
}
