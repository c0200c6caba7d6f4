package dev.tilewright.launch.element;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.gemm.oracle.Bf16;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ElementTypeTest {
    private static final int DRAWS = 20_000;

    @ParameterizedTest
    @EnumSource(
            value = ElementType.class,
            names = {"U8", "S8", "U16", "S16", "F16", "BF16", "E4M3", "E5M2"})
    void everyPatternComesBackFromItsValue(ElementType type) {
        for (long bits = 0; bits < 1L << (8 * type.bytes()); bits++) {
            double value = type.decode(bits);
            long again = type.encode(value);
            if (Double.isNaN(value)) {
                assertThat(type.decode(again)).as("%s 0x%x", type, bits).isNaN();
            } else if (type == ElementType.E5M2 && Double.isInfinite(value)) {
                // Conversions to 8 bits saturate.
                assertThat(type.decode(again)).isEqualTo(Math.copySign(57344, value));
            } else {
                assertThat(again).as("%s 0x%x = %s", type, bits, value).isEqualTo(bits);
            }
        }
    }

    @Test
    void roundsAsTheJdkAndTheOracleDo() {
        SplittableRandom random = new SplittableRandom(5);
        for (int i = 0; i < DRAWS; i++) {
            float value = Float.intBitsToFloat(random.nextInt());
            if (Float.isNaN(value)) {
                continue;
            }
            assertThat((short) ElementType.F16.encode(value)).isEqualTo(Float.floatToFloat16(value));
            assertThat((short) ElementType.BF16.encode(value)).isEqualTo(Bf16.ofFloat(value));
            assertThat((int) ElementType.F32.encode(value)).isEqualTo(Float.floatToRawIntBits(value));
            assertThat((float) ElementType.F32.decode(Float.floatToRawIntBits(value)))
                    .isEqualTo(value);
            double wide = Double.longBitsToDouble(random.nextLong());
            if (!Double.isNaN(wide)) {
                assertThat((int) ElementType.F32.encode(wide)).isEqualTo(Float.floatToRawIntBits((float) wide));
                assertThat(ElementType.F64.decode(ElementType.F64.encode(wide))).isEqualTo(wide);
            }
        }
    }

    /** From the tables of the OCP 8-bit formats, and of tf32: a rounded f32. */
    @ParameterizedTest
    @CsvSource({
        "E4M3, 448, 0x7e",
        "E4M3, 1000, 0x7e",
        "E4M3, -1e9, 0xfe",
        "E4M3, 0.001953125, 0x01",
        "E4M3, 1, 0x38",
        "E4M3, 1.0625, 0x38",
        "E4M3, 1.1875, 0x3a",
        "E5M2, 57344, 0x7b",
        "E5M2, 1e9, 0x7b",
        "E5M2, 1, 0x3c",
        "E5M2, 1.125, 0x3c",
        "E5M2, 1.375, 0x3e",
        "TF32, 1, 0x3f800000",
        "TF32, 1.00048828125, 0x3f800000",
        "TF32, 1.00146484375, 0x3f804000",
        "TF32, -3.4e38, 0xff7fc000",
        "S8, -200, 0x80",
        "U8, 300, 0xff",
        "S32, 2.5, 0x02",
        "S32, 3.5, 0x04",
        "U64, 1e30, 0xffffffffffffffff",
        "S64, -1, 0xffffffffffffffff"
    })
    void encodes(ElementType type, double value, String bits) {
        assertThat("0x%02x".formatted(type.encode(value))).isEqualTo(bits);
    }

    @ParameterizedTest
    @CsvSource({
        "U32, 4294967295, 0xffffffff",
        "S64, -9223372036854775808, 0x8000000000000000",
        "U64, 0x10, 0x10",
        "F32, 0x3f800000, 0x3f800000",
        "F32, 1, 0x3f800000",
        "F32, -inf, 0xff800000",
        "BF16, nan, 0x7fff",
        "F64, 1e-3, 0x3f50624dd2f1a9fc",
        "U64, 18446744073709551615, 0xffffffffffffffff",
        "S32, 1e3, 0x3e8"
    })
    void parses(ElementType type, String text, String bits) {
        assertThat("0x%x".formatted(type.parse(text))).isEqualTo(bits);
    }

    @ParameterizedTest
    @CsvSource({
        "U32, -1, 'must be a u32 of 0..4294967295, got -1'",
        "S8, 128, 'must be a s8 of -128..127, got 128'",
        "S32, 1.5, 'must be a number of type s32, got 1.5'",
        "F16, one, 'must be a number of type f16, got one'",
        "BF16, 0x12345, 'must be bits of bf16, got 0x12345'",
        "U8, 0x-1, 'must be bits of u8, got 0x-1'"
    })
    void refuses(ElementType type, String text, String message) {
        assertThatThrownBy(() -> type.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @Test
    void poisonIsNoNumber() {
        for (ElementType type : ElementType.values()) {
            assertThat(Double.isNaN(type.decode(type.poison()))).as("%s", type).isEqualTo(type.isFloat());
        }
        assertThat(ElementType.S16.show(ElementType.S16.poison())).isEqualTo("-23131");
        assertThat(ElementType.U64.show(-1)).isEqualTo("18446744073709551615");
    }
}
