package dev.tilewright.emulator.tensor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.testing.Between;
import dev.tilewright.testing.Draws;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SwizzleTest {
    @Draws
    void isItsOwnInverseAndStaysInItsRow(Swizzle swizzle, @Between(max = 1 << 18) int address) {
        int swizzled = swizzle.apply(address);
        assertThat(swizzle.apply(swizzled)).isEqualTo(address);
        assertThat(swizzled & 15).isEqualTo(address & 15);
        int span = Math.max(16, swizzle.span());
        assertThat(swizzled / span).isEqualTo(address / span);
    }

    /** The tables of PTX 5.5.7: each row begins with the number of its turn. */
    @Test
    void followsTheTables() {
        for (int row = 0; row < 8; row++) {
            assertThat(Swizzle.B128.apply(row * 128) / 16 % 8).isEqualTo(row);
        }
        for (int line = 0; line < 4; line++) {
            assertThat(Swizzle.B64.apply(line * 128) / 16 % 4).isEqualTo(line);
            assertThat(Swizzle.B64.apply(line * 128 + 64) / 16 % 4).isEqualTo(line);
        }
        for (int line = 0; line < 2; line++) {
            assertThat(Swizzle.B32.apply(line * 128 + 96) / 16 % 2).isEqualTo(line);
        }
    }

    @Draws
    void descriptorsOfPackedTilesCoverThemOnce(Swizzle swizzle, @Between(min = 1, max = 8) int start) {
        int base = start * 1024;
        int span = swizzle == Swizzle.NONE ? 32 : swizzle.span();
        long code = switch (swizzle) {
            case NONE -> 0;
            case B128 -> 1;
            case B64 -> 2;
            case B32 -> 3;
        };
        int leading = swizzle == Swizzle.NONE ? 128 : 16;
        int stride = swizzle == Swizzle.NONE ? 256 : 8 * span;
        long bits = code << 62 | (long) (stride >> 4) << 32 | (long) (leading >> 4) << 16 | base >> 4;
        assertThat(MatrixDescriptor.refusal(bits)).isEmpty();
        MatrixDescriptor matrix = MatrixDescriptor.decode(bits);
        Set<Integer> chunks = new HashSet<>();
        for (int row = 0; row < 64; row++) {
            for (int chunk = 0; chunk < 2; chunk++) {
                int at = matrix.kMajor(row, chunk);
                assertThat(at).isBetween(base, base + 64 * span - 16);
                assertThat(chunks.add(at)).isTrue();
            }
        }
    }

    @Test
    void refusesWhatIsNoMatrix() {
        long good = 0x4000004000010000L | 1024 >> 4;
        assertThat(MatrixDescriptor.refusal(good)).isEmpty();
        assertThat(MatrixDescriptor.refusal(good + (256 >> 4))).isEmpty();
        assertThat(MatrixDescriptor.refusal(good + 2)).isEmpty();
        assertThat(MatrixDescriptor.refusal(good | 1L << 14)).isPresent();
        assertThat(MatrixDescriptor.refusal(good | 1L << 30)).isPresent();
    }
}
