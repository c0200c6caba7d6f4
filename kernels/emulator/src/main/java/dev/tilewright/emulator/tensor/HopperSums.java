package dev.tilewright.emulator.tensor;

import dev.tilewright.ptx.type.Element;
import java.util.Arrays;
import java.util.Optional;

/**
 * The f32 sums of a wgmma as the tensor core of sm_90 computes them, to the bit. The products of an element of D and
 * its accumulator are the summands of one sum:
 *
 * <ol>
 *   <li>A product is exact. Its exponent is the sum of its factors' exponents, so that it is below 4 times that power
 *       of two; a subnormal factor has the least exponent of its type.
 *   <li>Every summand is cut towards zero to a multiple of {@code 2^(E - summandBits)}, where E is the largest exponent
 *       of the summands that are not 0, the accumulator's among them.
 *   <li>The sum of what is left is exact, and is cut towards zero to {@code resultBits} bits behind its leading one.
 *   <li>A sum of 0 is +0, every NaN is 0x7FFFFFFF, and infinities are as in IEEE 754.
 * </ol>
 *
 * <p>Found by an experiment on an H100 (80 GB) on 2026-11-27, which {@code OnGpuSumsTest} repeats: 32,768 elements for
 * each pair of types, with zeros, subnormals, infinities and NaNs, and none differs. The order of the summands does not
 * matter, there are no groups of them, and wgmmas in a row do nothing else. The model is the one that MMA-Sim publishes
 * (github.com/microsoft/MMA-Sim). Sums in f16 are not known; {@code mma.sync} of inputs of 8 bits does something else.
 */
public final class HopperSums {
    private static final int BIAS = Double.MAX_EXPONENT;
    private static final int SPECIAL = 2 * BIAS + 1;
    private static final int MANTISSA = 52;
    private static final int LEAST_OF_F32 = BIAS + Float.MIN_EXPONENT;
    /** Bits behind the leading one that a sum may have, and some more for how far it is below its largest summand. */
    private static final int MOST_BITS = 32;
    /** Depths of instructions are multiples of it. */
    private static final int STEP = 4;

    private final Factors row;
    private final Factors columns;
    /** Of each element of B a bit at its exponent above the lowest one, from bit 1 on. */
    private final long[] marks;

    private final long[] products;
    private final int[] largest;
    private final double[] scales;
    private final long[] sums;

    /** Room for instructions of at most that many columns and that much depth. */
    public HopperSums(int maxN, int maxK) {
        row = new Factors(maxK);
        columns = new Factors(maxK * maxN);
        marks = new long[maxK * maxN];
        products = new long[maxN];
        largest = new int[maxN];
        scales = new double[maxN];
        sums = new long[maxN];
    }

    /**
     * Bits that are kept of numbers.
     *
     * @param summandBits behind the leading bit of the largest summand
     * @param resultBits behind the leading bit of the sum
     * @param leastA exponent of the subnormal numbers of A
     * @param leastB of B
     */
    public record Widths(int summandBits, int resultBits, int leastA, int leastB) {

        /** The widths for these types; none if their sums are exact or unknown. */
        public static Optional<Widths> of(Element accumulator, Element a, Element b) {
            if (accumulator != Element.F32 || a.isInteger()) {
                return Optional.empty();
            }
            return Optional.of(
                    a.isEight() ? new Widths(13, 13, least(a), least(b)) : new Widths(25, 23, least(a), least(b)));
        }

        private static int least(Element type) {
            return switch (type) {
                case E4M3 -> BIAS - 6;
                case E5M2, F16 -> BIAS - 14;
                case BF16, TF32 -> LEAST_OF_F32;
                case F32, F64, S8, U8, S32 -> throw new IllegalArgumentException("no input of wgmma is " + type);
            };
        }
    }

    /**
     * Exponents of numbers that are multiplied, as f64 has them: biased, and 0 of a 0, whose sum with any other one is
     * below that of two real ones.
     */
    private static final class Factors {
        private final int[] exponents;
        private int lowest;
        private int highest;
        private int lastBit;

        Factors(int most) {
            exponents = new int[most];
        }

        void read(double[] values, int from, int count, int least) {
            int low = SPECIAL;
            int high = 0;
            for (int i = 0; i < count; i++) {
                int exponent = exponent(values[from + i], least);
                exponents[i] = exponent;
                low = Math.min(low, exponent == 0 ? SPECIAL : exponent);
                high = Math.max(high, exponent);
            }
            lowest = low;
            highest = high;
            lastBit = lastBit(values, from, count);
        }

        /** How far marks of the other factors are moved: those of a 0 over the end. */
        int shift(int i) {
            return exponents[i] == 0 ? Long.SIZE - 1 : exponents[i] - lowest;
        }
    }

    private static int exponent(double value, int least) {
        int exponent = (int) (Double.doubleToRawLongBits(value) >>> MANTISSA) & SPECIAL;
        return Math.max(exponent, least) & ~(exponent - 1 >> Integer.SIZE - 1);
    }

    /** The exponent of the last bit that is set in any of the numbers. */
    private static int lastBit(double[] values, int from, int count) {
        int last = SPECIAL;
        for (int i = 0; i < count; i++) {
            long bits = Double.doubleToRawLongBits(values[from + i]);
            int zeros = Long.numberOfTrailingZeros(bits | 1L << MANTISSA);
            int exponent = (int) (bits >>> MANTISSA) & SPECIAL;
            last = Math.min(last, exponent == 0 ? SPECIAL : exponent - MANTISSA + zeros);
        }
        return last;
    }

    /** One instruction: {@link DenseProduct#multiplyAdd} with the sums of hardware. */
    public void multiplyAdd(DenseProduct product, int n, int k, Widths widths) {
        columns.read(product.b(), 0, k * n, widths.leastB);
        mark(marks, columns.exponents, columns.lowest, k * n);
        double[] a = product.a();
        for (int i = 0; i < product.rows(); i++) {
            row.read(a, i * k, k, widths.leastA);
            if (cutsNothing(product.tile(), i * n, n, widths.summandBits)) {
                product.addRow(i, n, k);
                end(product.tile(), i * n, n, -1L << MANTISSA - widths.resultBits);
                continue;
            }
            findLargest(n, k);
            raise(largest, product.tile(), i * n, n);
            begin(scales, sums, largest, product.tile(), i * n, n, widths.summandBits);
            for (int step = 0; step < k; step += STEP) {
                int at = i * k + step;
                add(sums, scales, product.b(), step * n, n, a[at], a[at + 1], a[at + 2], a[at + 3]);
            }
            if (isUsual(n)) {
                scaleBack(product.tile(), i * n, sums, scales, n);
                end(product.tile(), i * n, n, -1L << MANTISSA - widths.resultBits);
            } else {
                endUnusual(product, i, n, k, widths.resultBits);
            }
        }
    }

    /** Whether each summand of a row is a multiple of what it would be cut to: whole numbers are, if they are small. */
    private boolean cutsNothing(double[] tile, int base, int n, int bits) {
        int first = row.highest + columns.highest - BIAS;
        int last = row.lastBit + columns.lastBit - BIAS;
        if (last < first - bits || last < LEAST_OF_F32) {
            return false;
        }
        for (int i = 0; i < n; i++) {
            first = Math.max(first, exponent(tile[base + i], LEAST_OF_F32));
        }
        return first < SPECIAL && Math.min(last, lastBit(tile, base, n)) >= first - bits;
    }

    private static void mark(long[] marks, int[] exponents, int lowest, int count) {
        for (int i = 0; i < count; i++) {
            marks[i] = (2L << exponents[i] - lowest) & ~(exponents[i] - 1 >> Integer.SIZE - 1);
        }
    }

    /** The largest exponent of the products of each element of a row; 0 of zeros. */
    private void findLargest(int n, int k) {
        if (row.highest - row.lowest + columns.highest - columns.lowest >= Long.SIZE - 2) {
            Arrays.fill(largest, 0, n, 0);
            for (int i = 0; i < k; i++) {
                raise(largest, columns.exponents, i * n, n, row.exponents[i] - BIAS);
            }
            return;
        }
        // All exponents fit one word.
        Arrays.fill(products, 0, n, 0);
        for (int i = 0; i < k; i += STEP) {
            unite(products, marks, i * n, n, row.shift(i), row.shift(i + 1), row.shift(i + 2), row.shift(i + 3));
        }
        findHighest(largest, products, n, row.lowest + columns.lowest - BIAS + Long.SIZE - 2);
    }

    private static void raise(int[] largest, int[] exponents, int at, int n, int exponent) {
        for (int i = 0; i < n; i++) {
            largest[i] = Math.max(largest[i], exponent + exponents[at + i]);
        }
    }

    private static void unite(long[] products, long[] marks, int at, int n, int e0, int e1, int e2, int e3) {
        int at1 = at + n;
        int at2 = at1 + n;
        int at3 = at2 + n;
        for (int i = 0; i < n; i++) {
            products[i] |= marks[at + i] << e0 | marks[at1 + i] << e1 | (marks[at2 + i] << e2 | marks[at3 + i] << e3);
        }
    }

    private static void findHighest(int[] largest, long[] products, int n, int ofFirstBit) {
        for (int i = 0; i < n; i++) {
            int some = (int) ((products[i] | -products[i]) >> Long.SIZE - 1);
            largest[i] = ofFirstBit - Long.numberOfLeadingZeros(products[i]) & some;
        }
    }

    private static void raise(int[] largest, double[] tile, int base, int n) {
        for (int i = 0; i < n; i++) {
            largest[i] = Math.max(largest[i], exponent(tile[base + i], LEAST_OF_F32));
        }
    }

    /** Scales, and sums of the accumulators alone. Where all summands are 0, any scale will do. */
    private static void begin(double[] scales, long[] sums, int[] largest, double[] tile, int base, int n, int bits) {
        for (int i = 0; i < n; i++) {
            int exponent = Math.clamp(2 * BIAS + bits - largest[i], 1, 2 * BIAS);
            scales[i] = Double.longBitsToDouble((long) exponent << MANTISSA);
            sums[i] = (long) (tile[base + i] * scales[i]);
        }
    }

    /** Four products of each element; a cast cuts towards zero. */
    private static void add(
            long[] sums, double[] scales, double[] b, int at, int n, double a0, double a1, double a2, double a3) {
        int at1 = at + n;
        int at2 = at1 + n;
        int at3 = at2 + n;
        for (int i = 0; i < n; i++) {
            double scale = scales[i];
            sums[i] += (long) (a0 * b[at + i] * scale)
                    + (long) (a1 * b[at1 + i] * scale)
                    + (long) (a2 * b[at2 + i] * scale)
                    + (long) (a3 * b[at3 + i] * scale);
        }
    }

    /** Whether all summands of a row are finite, and all sums normal numbers or 0. */
    private boolean isUsual(int n) {
        int high = Math.max(row.highest, columns.highest);
        int low = SPECIAL;
        for (int i = 0; i < n; i++) {
            high = Math.max(high, largest[i]);
            low = Math.min(low, largest[i] == 0 ? SPECIAL : largest[i]);
        }
        return high < SPECIAL && low >= LEAST_OF_F32 + MOST_BITS;
    }

    private static void scaleBack(double[] tile, int base, long[] sums, double[] scales, int n) {
        for (int i = 0; i < n; i++) {
            tile[base + i] = sums[i] / scales[i];
        }
    }

    /** Adding 0 makes +0 of -0. */
    private static void end(double[] tile, int base, int n, long mask) {
        for (int i = 0; i < n; i++) {
            tile[base + i] = (float) Double.longBitsToDouble(Double.doubleToRawLongBits(tile[base + i]) & mask) + 0.0;
        }
    }

    private void endUnusual(DenseProduct product, int row, int n, int k, int bits) {
        double grid = Math.scalb(1.0, bits - Float.MIN_EXPONENT);
        for (int i = 0; i < n; i++) {
            double special = product.tile()[row * n + i];
            for (int step = 0; step < k; step++) {
                special += product.a()[row * k + step] * product.b()[step * n + i];
            }
            double sum = sums[i] / scales[i];
            double cut = Math.abs(sum) < Float.MIN_NORMAL
                    ? (long) (sum * grid) / grid
                    : Double.longBitsToDouble(Double.doubleToRawLongBits(sum) & -1L << MANTISSA - bits);
            product.tile()[row * n + i] = Double.isFinite(special) ? (float) cut : special;
        }
    }
}
