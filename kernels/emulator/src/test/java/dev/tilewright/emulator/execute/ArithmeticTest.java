package dev.tilewright.emulator.execute;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.emulator.number.FloatFormat;
import dev.tilewright.ptx.instruction.Barrier.ShuffleMode;
import dev.tilewright.ptx.type.Rounding;
import dev.tilewright.ptx.type.ScalarType;
import dev.tilewright.testing.Between;
import dev.tilewright.testing.Draws;
import java.math.BigDecimal;
import java.math.BigInteger;
import org.junit.jupiter.api.Test;

class ArithmeticTest {
    @Draws
    void highHalvesOfProducts(long a, long b) {
        BigInteger x = new BigInteger(Long.toUnsignedString(a));
        BigInteger y = new BigInteger(Long.toUnsignedString(b));
        assertThat(ArithmeticOperations.multiplyHigh(ScalarType.U64, a, b))
                .isEqualTo(x.multiply(y).shiftRight(64).longValue());
        int low = (int) a;
        int other = (int) b;
        assertThat((int) ArithmeticOperations.multiplyHigh(ScalarType.S32, low & 0xFFFFFFFFL, other & 0xFFFFFFFFL))
                .isEqualTo((int) ((long) low * other >> 32));
    }

    @Draws
    void lop3KnowsItsTable(int a, int b, int c) {
        assertThat((int) ArithmeticOperations.lop3(a, b, c, 0x96)).isEqualTo(a ^ b ^ c);
        assertThat((int) ArithmeticOperations.lop3(a, b, c, 0xE8)).isEqualTo(a & b | a & c | b & c);
        assertThat((int) ArithmeticOperations.lop3(a, b, c, 0xCA)).isEqualTo(a & b | ~a & c);
    }

    @Draws
    void bitFields(int a, @Between(max = 40) int position, @Between(max = 40) int length) {
        long unsigned = ArithmeticOperations.extract(ScalarType.U32, a, position, length);
        BigInteger value = BigInteger.valueOf(a & 0xFFFFFFFFL).shiftRight(position);
        BigInteger mask = BigInteger.ONE.shiftLeft(length).subtract(BigInteger.ONE);
        assertThat(unsigned & 0xFFFFFFFFL).isEqualTo(value.and(mask).longValue());
    }

    @Test
    void permuteOfBytesAndSigns() {
        assertThat(ArithmeticOperations.permute(0x33221100L, 0x77665544L, 0x7410))
                .isEqualTo(0x77441100L);
        assertThat(ArithmeticOperations.permute(0x80L, 0, 0x8)).isEqualTo(0x808080FFL);
    }

    @Test
    void shiftsBeyondTheSize() {
        assertThat((int) ArithmeticOperations.shiftRight(ScalarType.S32, 0x80000000L, 77))
                .isEqualTo(-1);
        assertThat(ArithmeticOperations.shiftRight(ScalarType.U32, 0x80000000L, 32))
                .isZero();
    }

    /** The nearest value of each kind on the right side of the exact one. */
    @Draws
    void directedRounding(double value) {
        if (!Float.isFinite((float) value)) {
            return;
        }
        BigDecimal exact = new BigDecimal(value);
        float up = narrow(value, Rounding.RP);
        float down = narrow(value, Rounding.RM);
        assertThat(Float.isInfinite(up) || new BigDecimal(up).compareTo(exact) >= 0)
                .isTrue();
        assertThat(Float.isInfinite(down) || new BigDecimal(down).compareTo(exact) <= 0)
                .isTrue();
        assertThat(up == down || Math.nextUp(down) == up).isTrue();
        assertThat(narrow(value, Rounding.RZ)).isEqualTo(value < 0 ? up : down);
    }

    private static float narrow(double value, Rounding rounding) {
        return Float.intBitsToFloat((int) FloatFormat.F32.round(value, rounding));
    }

    @Draws
    void halfPrecisionIsJavas(float value) {
        if (!Float.isNaN(value)) {
            assertThat((short) ConvertOperations.narrow(value, true, Rounding.RN))
                    .isEqualTo(Float.floatToFloat16(value));
        }
    }

    @Test
    void shuffleSources() {
        assertThat(ExchangeOperations.source(ShuffleMode.IDX, 5, 3, 31)).isEqualTo(3);
        assertThat(ExchangeOperations.source(ShuffleMode.BFLY, 5, 1, 31)).isEqualTo(4);
        assertThat(ExchangeOperations.source(ShuffleMode.UP, 0, 1, 0)).isEqualTo(-1);
        assertThat(ExchangeOperations.source(ShuffleMode.UP, 4, 1, 0)).isEqualTo(3);
        assertThat(ExchangeOperations.source(ShuffleMode.DOWN, 31, 1, 31)).isEqualTo(-1);
        assertThat(ExchangeOperations.source(ShuffleMode.IDX, 20, 3, 0x181F & 0x1F1F))
                .isEqualTo(11 + 8);
    }
}
