package dev.tilewright.emulator.tensor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.emulator.tensor.HopperSums.Widths;
import dev.tilewright.gemm.oracle.ErrorBound;
import dev.tilewright.gemm.oracle.SumError;
import dev.tilewright.gemm.oracle.SumError.Signs;
import dev.tilewright.ptx.type.Element;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.DoubleSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Sums of wgmma by the model that an experiment on a GPU found: each rule of it, and what it means for large K. */
class HopperSumsTest {

    private static final int ROWS = 4;
    private static final int COLUMNS = 8;
    private static final int DEPTH = 32;
    private static final int PROMOTED = 128;
    private static final int LARGE = 7168;

    /** D of one row and column, whose products are the numbers; B is 1. */
    private static double sum(Element type, double accumulator, double... products) {
        DenseProduct product = new DenseProduct(1, 1, DEPTH);
        System.arraycopy(products, 0, product.a(), 0, products.length);
        Arrays.fill(product.b(), 1);
        product.tile()[0] = accumulator;
        multiply(product, 1, 256 / type.bits(), type);
        return product.tile()[0];
    }

    private static void multiply(DenseProduct product, int n, int k, Element type) {
        new HopperSums(n, k)
                .multiplyAdd(product, n, k, Widths.of(Element.F32, type, type).orElseThrow());
    }

    @ParameterizedTest
    @CsvSource({"E4M3, 13", "E5M2, 13", "F16, 25", "BF16, 25", "TF32, 25"})
    void whatIsBelowTheLastBitOfTheLargestSummandIsCut(Element type, int bits) {
        double first = Math.scalb(1.0, 8);
        double unit = Math.scalb(first, -bits);
        assertThat(sum(type, first, unit, -first)).isEqualTo(unit);
        assertThat(sum(type, first, unit / 2, unit / 2, -first)).isZero();
        assertThat(sum(type, -first, -unit / 2, -unit / 2, first)).isZero();
        assertThat(sum(type, first, -1.5 * unit, -first)).isEqualTo(-unit);
    }

    /** 1.5 * 1.5 is 2.25, but its exponent is that of its factors. */
    @Test
    void theExponentOfAProductIsThatOfItsFactors() {
        DenseProduct product = new DenseProduct(1, 1, DEPTH);
        product.a()[0] = 1.5;
        product.b()[0] = 1.5;
        product.tile()[0] = 0x1p-13;
        multiply(product, 1, DEPTH, Element.E4M3);
        // 2^-13 is kept beside an exponent of 0, and cut off behind it: the sum has 13 bits behind its leading one.
        assertThat(product.tile()[0]).isEqualTo(2.25);
        product.a()[1] = -1.5;
        product.b()[1] = 1.5;
        product.tile()[0] = 0x1p-13;
        multiply(product, 1, DEPTH, Element.E4M3);
        assertThat(product.tile()[0]).isEqualTo(0x1p-13);
    }

    @Test
    void aSumIsCutTowardsZero() {
        assertThat(sum(Element.E4M3, 1 + 0x1p-13, 1)).isEqualTo(2);
        assertThat(sum(Element.E4M3, -1 - 0x1p-13, -1)).isEqualTo(-2);
        assertThat(sum(Element.BF16, 1 + 0x1p-23, 1)).isEqualTo(2);
    }

    @Test
    void noSumIsMinusZeroAndSpecialNumbersStay() {
        assertThat(sum(Element.E4M3, -0.0)).isEqualTo(0.0);
        assertThat(sum(Element.E4M3, 0, 3, -3)).isEqualTo(0.0);
        assertThat(sum(Element.E5M2, 1, Double.POSITIVE_INFINITY)).isInfinite();
        assertThat(sum(Element.E5M2, Double.NEGATIVE_INFINITY, Double.POSITIVE_INFINITY))
                .isNaN();
        assertThat(sum(Element.BF16, Float.MIN_VALUE)).isEqualTo(Float.MIN_VALUE);
        assertThat(sum(Element.E4M3, Float.MIN_VALUE)).isZero();
    }

    @Test
    void integersAndHalvesAreNotMeasured() {
        assertThat(Widths.of(Element.S32, Element.S8, Element.S8)).isEmpty();
        assertThat(Widths.of(Element.F16, Element.E4M3, Element.E4M3)).isEmpty();
    }

    // ---- what it means for large K ------------------------------------------------------------------------------

    /** Largest errors of sums of so many products, in units of the bounds of both mainloops. */
    private record Errors(double ofWhole, double ofPromoted) {
        static Errors of(int k, int run, Signs signs) {
            SplittableRandom random = new SplittableRandom(k);
            DoubleSupplier drawn = () -> {
                // To the 4 bits of a normal e4m3.
                double value = (float) random.nextGaussian();
                double unit = Math.scalb(1.0, Math.max(Math.getExponent(value), -6) - 3);
                double rounded = Math.rint(value / unit) * unit;
                return signs == Signs.ONE ? Math.abs(rounded) : rounded;
            };
            DenseProduct product = new DenseProduct(ROWS, COLUMNS, DEPTH);
            HopperSums sums = new HopperSums(COLUMNS, DEPTH);
            Widths widths = Widths.of(Element.F32, Element.E4M3, Element.E4M3).orElseThrow();
            double[] exact = new double[ROWS * COLUMNS];
            double[] magnitudes = new double[exact.length];
            float[] promoted = new float[exact.length];
            for (int step = 0; step < k; step += DEPTH) {
                Arrays.setAll(product.a(), i -> drawn.getAsDouble());
                Arrays.setAll(product.b(), i -> drawn.getAsDouble());
                addExactly(product, exact, magnitudes);
                sums.multiplyAdd(product, COLUMNS, DEPTH, widths);
                if ((step + DEPTH) % run == 0) {
                    for (int i = 0; i < promoted.length; i++) {
                        promoted[i] += (float) product.tile()[i];
                    }
                    product.clear(COLUMNS);
                }
            }
            ErrorBound whole = new ErrorBound(0, SumError.Cut.WHOLE);
            ErrorBound ofRuns = new ErrorBound(0, new SumError.Cut(PROMOTED));
            double worst = 0;
            double worstOfRuns = 0;
            for (int i = 0; i < exact.length; i++) {
                double d = promoted[i] + product.tile()[i];
                worst = Math.max(worst, whole.ratio(d, exact[i], magnitudes[i], k, signs));
                worstOfRuns = Math.max(worstOfRuns, ofRuns.ratio(d, exact[i], magnitudes[i], k, signs));
            }
            return new Errors(worst, worstOfRuns);
        }

        private static void addExactly(DenseProduct product, double[] exact, double[] magnitudes) {
            for (int i = 0; i < exact.length; i++) {
                for (int k = 0; k < DEPTH; k++) {
                    double term = product.a()[i / COLUMNS * DEPTH + k] * product.b()[k * COLUMNS + i % COLUMNS];
                    exact[i] += term;
                    magnitudes[i] += Math.abs(term);
                }
            }
        }
    }

    /** A promotion that is left out is seen in data of one sign. */
    @Test
    void theBoundOfPromotionRefusesSumsWithoutIt() {
        Errors without = Errors.of(LARGE, Integer.MAX_VALUE, Signs.ONE);
        assertThat(without.ofWhole).isBetween(0.3, 1.0);
        assertThat(without.ofPromoted).isGreaterThan(10);
        Errors with = Errors.of(LARGE, PROMOTED, Signs.ONE);
        assertThat(with.ofPromoted).isBetween(0.05, 1.0);
    }

    @ParameterizedTest
    @EnumSource(Signs.class)
    void bothKeepTheirBounds(Signs signs) {
        for (int k : new int[] {32, 128, 640, 4096}) {
            assertThat(Errors.of(k, Integer.MAX_VALUE, signs).ofWhole)
                    .as("whole, K = " + k)
                    .isLessThan(1);
            assertThat(Errors.of(k, PROMOTED, signs).ofPromoted)
                    .as("promoted, K = " + k)
                    .isLessThan(1);
        }
    }
}
