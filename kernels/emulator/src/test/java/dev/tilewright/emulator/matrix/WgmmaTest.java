package dev.tilewright.emulator.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.ptx.type.Element;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** wgmma of every type, major and swizzle computes what plain Java computes on small integers. */
class WgmmaTest {
    private static final int[] SPANS = {0, 32, 64, 128};

    private static SharedLayout layout(Element type, int span, boolean transposed, int rows, SplittableRandom random) {
        int k = 256 / type.bits();
        int steps = transposed || span == 0 ? random.nextInt(1, 4) : span / 32;
        return new SharedLayout(type, span, transposed, rows, steps * k, 1024 * random.nextInt(2), 0);
    }

    /** B as deep as A. */
    private static SharedLayout asDeep(SharedLayout layout, int depth) {
        return new SharedLayout(
                layout.type(), layout.span(), layout.transposed(), layout.rows(), depth, layout.padding(), 0);
    }

    /** All pairs of spans; K-major depth is that of the narrower operand. */
    private static void allSpans(
            Element typeA, Element typeB, Element accumulator, boolean transposeA, boolean transposeB) {
        SplittableRandom random = new SplittableRandom(typeA.ordinal() * 100L + typeB.ordinal());
        int seed = 0;
        for (int spanA : SPANS) {
            for (int spanB : SPANS) {
                // M- and N-major spans are whole blocks of rows.
                int unit = transposeB && spanB > 0 ? spanB / 2 : 8;
                int n = unit * random.nextInt(1, Math.min(200, 256) / unit + 1);
                if (accumulator == Element.S32 && n > 32) {
                    n = n / 16 * 16;
                }
                SharedLayout a = layout(typeA, spanA, transposeA, 64, random);
                SharedLayout b = layout(typeB, spanB, transposeB, n, random);
                int depth = Math.min(a.depth(), b.depth());
                boolean signs = accumulator != Element.S32;
                WgmmaCase wgmma = new WgmmaCase(
                        asDeep(a, depth),
                        asDeep(b, depth),
                        accumulator,
                        false,
                        random.nextInt(4) == 0 && !transposeA,
                        signs && random.nextBoolean(),
                        signs && random.nextBoolean(),
                        random.nextBoolean());
                assertThat(wgmma.firstWrong(random, 0, seed++)).isEmpty();
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "BF16, BF16, F32", "F16, F16, F32", "F16, F16, F16", "TF32, TF32, F32", "E4M3, E4M3, F32", "E5M2, E5M2, F32",
        "E4M3, E5M2, F32", "E5M2, E4M3, F32", "E4M3, E4M3, F16", "E5M2, E4M3, F16", "S8, S8, S32", "U8, U8, S32",
        "S8, U8, S32", "U8, S8, S32"
    })
    void kMajorOfEveryType(Element typeA, Element typeB, Element accumulator) {
        allSpans(typeA, typeB, accumulator, false, false);
    }

    @ParameterizedTest
    @CsvSource({
        "BF16, F32, true, false", "BF16, F32, false, true", "BF16, F32, true, true",
        "F16, F32, true, false", "F16, F32, false, true", "F16, F16, true, true"
    })
    void mnMajorOfHalves(Element type, Element accumulator, boolean transposeA, boolean transposeB) {
        allSpans(type, type, accumulator, transposeA, transposeB);
    }

    @ParameterizedTest
    @EnumSource(
            value = Element.class,
            names = {"BF16", "F16", "TF32", "E4M3", "E5M2", "S8", "U8"})
    void fragmentsOfEveryType(Element type) {
        SplittableRandom random = new SplittableRandom(type.ordinal());
        Element accumulator = type == Element.S8 || type == Element.U8 ? Element.S32 : Element.F32;
        SharedLayout a = layout(type, 128, false, 64, random);
        SharedLayout b = layout(type, 128, false, 48, random);
        WgmmaCase wgmma = new WgmmaCase(a, b, accumulator, false, true, false, false, true);
        assertThat(wgmma.firstWrong(random, 0, 3)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {8, 16, 24, 40, 96, 176, 248, 256})
    void everyWidth(int n) {
        SplittableRandom random = new SplittableRandom(n);
        SharedLayout a = layout(Element.BF16, 64, false, 64, random);
        SharedLayout b = layout(Element.BF16, 64, false, n, random);
        WgmmaCase wgmma = new WgmmaCase(a, b, Element.F32, false, false, false, true, true);
        assertThat(wgmma.firstWrong(random, 0, 2)).isEmpty();
    }

    /** Patterns that begin off their boundary are said by the base offset. */
    @ParameterizedTest
    @CsvSource({"128, 3", "128, 7", "64, 1", "64, 3", "32, 1"})
    void patternsBeginWhereTheBaseOffsetSays(int span, int shift) {
        SplittableRandom random = new SplittableRandom(shift);
        int depth = span / 2;
        SharedLayout a = new SharedLayout(Element.F16, span, false, 64, depth, 0, shift);
        SharedLayout b = new SharedLayout(Element.F16, span, false, 40, depth, 0, shift);
        WgmmaCase wgmma = new WgmmaCase(a, b, Element.F32, false, false, false, false, true);
        assertThat(wgmma.firstWrong(random, 0, 1)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void integersSaturateOrWrap(boolean saturate) {
        SplittableRandom random = new SplittableRandom(5);
        SharedLayout a = layout(Element.U8, 64, false, 64, random);
        SharedLayout b = layout(Element.U8, 64, false, 32, random);
        WgmmaCase wgmma = new WgmmaCase(a, b, Element.S32, saturate, false, false, false, true);
        assertThat(wgmma.firstWrong(random, Integer.MAX_VALUE - 100_000, 0)).isEmpty();
    }

    /** The layouts of the test follow the examples of PTX, figures 166 to 170. */
    @Test
    void layoutsFollowTheExamples() {
        SharedLayout tf32 = new SharedLayout(Element.TF32, 32, false, 16, 8, 0, 0);
        assertThat(tf32.stride()).isEqualTo(64 * 4);
        SharedLayout bf16 = new SharedLayout(Element.BF16, 32, true, 32, 16, 0, 0);
        assertThat(bf16.leading()).isEqualTo(256 * 2);
        assertThat(new SharedLayout(Element.BF16, 0, true, 16, 16, 0, 0).stride())
                .isEqualTo(64 * 2);
    }
}
