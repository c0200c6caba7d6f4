package dev.tilewright.emulator.number;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.ptx.type.Element;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ElementFormatTest {

    /** A little above or below the middle between two f16, where an f32 would be the middle itself. */
    @ParameterizedTest
    @CsvSource({
        "0x1.002p0, 0x1.0p0",
        "0x1.0020000001p0, 0x1.004p0",
        "0x1.001fffffffp0, 0x1.0p0",
        "0x1.006p0, 0x1.008p0",
        "0x1.005fffffffp0, 0x1.004p0",
        "-0x1.0020000001p0, -0x1.004p0",
        "0x1.0000000001p-25, 0x1.0p-24",
        "0x1.0p-25, 0",
        "65519.9999, 65504",
        "65520, Infinity",
        "1e300, Infinity"
    })
    void aSumIsRoundedOnce(String sum, String half) {
        int bits = ElementFormat.encode(Element.F16, false, Double.parseDouble(sum));
        assertThat(Float.float16ToFloat((short) bits)).isEqualTo(Float.parseFloat(half));
    }

    /** As conversions have it. */
    @Test
    void anF16ThatIsNoNumberIsTheCanonicalNaN() {
        assertThat(ElementFormat.encode(Element.F16, false, Double.NaN)).isEqualTo(0x7FFF);
    }

    /** By the tables of the OCP's specification of 8-bit floats. */
    @ParameterizedTest
    @CsvSource({
        "E4M3, 0x01, 0x1p-9",
        "E4M3, 0x07, 0x1.cp-7",
        "E4M3, 0x08, 0x1p-6",
        "E4M3, 0x7e, 448",
        "E4M3, 0xfe, -448",
        "E4M3, 0x7f, NaN",
        "E4M3, 0x80, -0.0",
        "E5M2, 0x01, 0x1p-16",
        "E5M2, 0x04, 0x1p-14",
        "E5M2, 0x7b, 57344",
        "E5M2, 0x7c, Infinity",
        "E5M2, 0xfc, -Infinity",
        "E5M2, 0x7d, NaN"
    })
    void elementsOfEightBitsSayWhatTheSpecificationSays(Element type, String bits, String value) {
        assertThat(ElementFormat.decode(type, Integer.decode(bits))).isEqualTo(Float.valueOf(value));
    }
}
