package dev.tilewright.emulator.tensor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.ptx.instruction.MatrixMultiply.Element;
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
}
