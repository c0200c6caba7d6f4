package dev.tilewright.gemm.oracle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The CPU half of the oracle. */
class ReferenceGemmTest {
    @ParameterizedTest
    @CsvSource({
        "1.0, 3F80",
        "-2.0, C000",
        // Halfway between 0x3F80 and 0x3F81: to even.
        "1.00390625, 3F80",
        "1.01171875, 3F82",
        "1.0039064, 3F81",
        "NaN, 7FFF",
        "3.4028235E38, 7F80",
        "0.0, 0000",
        "-0.0, 8000"
    })
    void bf16IsRoundedToNearestEven(float value, String bits) {
        assertThat(Short.toUnsignedInt(Bf16.ofFloat(value))).isEqualTo(Integer.parseInt(bits, 16));
    }

    @Test
    void everyBf16ComesBack() {
        for (int bits = 0; bits < 1 << 16; bits++) {
            float value = Bf16.toFloat((short) bits);
            if (!Float.isNaN(value)) {
                assertThat(Bf16.ofFloat(value)).isEqualTo((short) bits);
            }
        }
    }

    @Test
    void multipliesARectangleWithTransposedB() {
        short[] a = bf16(1, 2, 3, 4, 5, 6);
        short[] b = bf16(1, 0, -1, 2, 2, 2, 0, 3, 0, 1, 1, 1);
        assertThat(IntStream.range(0, 8)
                        .mapToDouble(at ->
                                ReferenceGemm.element(a, b, 3, at / 4, at % 4).value()))
                .containsExactly(-2.0, 12.0, 6.0, 6.0, -2.0, 30.0, 15.0, 15.0);
        assertThat(ReferenceGemm.element(a, b, 3, 1, 0).absoluteSum()).isEqualTo(10);
    }

    @Test
    void ratioIsOneAtTheBound() {
        ErrorBound bound = ErrorBound.BF16;
        double allowed = 0x1p-8 * 3 + 8 * 0x1p-24 * 100;
        assertThat(bound.ratio(3 + allowed, 3, 100, 64)).isCloseTo(1, within(1e-9));
        assertThat(bound.ratio(3, 3, 0, 64)).isZero();
        assertThat(bound.ratio(0, 0, 0, 64)).isZero();
        assertThat(bound.ratio(1, 0, 0, 64)).isInfinite();
        assertThat(bound.ratio(Double.NaN, 1, 1, 64)).isNaN();
    }

    @Test
    void integersOfTheFillAreBalancedAndInRange() {
        long[] counts = new long[9];
        LongStream.range(0, 90_000).forEach(i -> counts[FillKernel.integerAt(7, i) + 4]++);
        assertThat(LongStream.of(counts).boxed())
                .allSatisfy(count -> assertThat(count).isBetween(9_600L, 10_400L));
    }

    @Test
    void resultIsReadAsTheKernelWritesIt() {
        ByteBuffer bytes = ByteBuffer.allocate(CompareKernel.Result.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        bytes.asLongBuffer().put(CompareKernel.Result.initial());
        assertThat(CompareKernel.Result.read(bytes)).isEqualTo(new CompareKernel.Result(0, 0, -1, 0));
        bytes.putLong(0, 3).putLong(16, 77).putInt(24, Float.floatToIntBits(1.5f));
        assertThat(CompareKernel.Result.read(bytes)).isEqualTo(new CompareKernel.Result(3, 0, 77, 1.5f));
    }

    @Test
    void launchesCoverTheProblem() {
        assertThat(ReferenceGemmKernel.launch(1, 2, 3, 4, 129, 128, 5).gridX()).isEqualTo(2);
        assertThat(ReferenceGemmKernel.launch(1, 2, 3, 4, 1, 1, 1).gridX()).isEqualTo(1);
    }

    private static short[] bf16(float... values) {
        short[] bits = new short[values.length];
        for (int i = 0; i < values.length; i++) {
            bits[i] = Bf16.ofFloat(values[i]);
        }
        return bits;
    }
}
