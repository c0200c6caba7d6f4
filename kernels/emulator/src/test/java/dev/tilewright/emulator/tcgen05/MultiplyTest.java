package dev.tilewright.emulator.tcgen05;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.emulator.Ptxas;
import dev.tilewright.emulator.matrix.SharedLayout;
import dev.tilewright.ptx.instruction.CtaGroup;
import dev.tilewright.ptx.instruction.Tcgen05.Kind;
import dev.tilewright.ptx.type.Element;
import dev.tilewright.testing.Selection;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** tcgen05.mma against sums in Java: kinds, layouts, both groups, shapes that are not square. */
class MultiplyTest {
    private static SharedLayout layout(Element type, int span, boolean transposed, int rows, int depth) {
        return new SharedLayout(type, span, transposed, rows, depth, 0, 0);
    }

    private static MultiplyCase one(Kind kind, Element type, Element d, int span, int m, int n, int depth) {
        return new MultiplyCase(
                CtaGroup.ONE, kind, layout(type, span, false, m, depth), layout(type, span, false, n, depth), d);
    }

    private static MultiplyCase pair(Kind kind, Element type, Element d, int span, int m, int n, int depth) {
        return new MultiplyCase(
                CtaGroup.TWO,
                kind,
                layout(type, span, false, m / 2, depth),
                layout(type, span, false, n / 2, depth),
                d);
    }

    private static MultiplyCase transposed(
            CtaGroup group, Kind kind, Element type, int spanA, int spanB, int m, int n) {
        int depth = 3 * 256 / type.bits();
        return new MultiplyCase(
                group,
                kind,
                layout(type, spanA, true, m / group.ctas(), depth),
                layout(type, spanB, true, n / group.ctas(), depth),
                kind == Kind.I8 ? Element.S32 : Element.F32);
    }

    static Stream<MultiplyCase> cases() {
        return Stream.of(
                one(Kind.F16, Element.BF16, Element.F32, 128, 128, 64, 64),
                one(Kind.F16, Element.F16, Element.F32, 64, 128, 24, 32),
                one(Kind.F16, Element.F16, Element.F16, 128, 64, 40, 64),
                one(Kind.F16, Element.BF16, Element.F32, 32, 64, 8, 16),
                one(Kind.F16, Element.BF16, Element.F32, 0, 128, 256, 48),
                one(Kind.TF32, Element.TF32, Element.F32, 128, 128, 72, 32),
                one(Kind.F8F6F4, Element.E4M3, Element.F32, 128, 128, 96, 128),
                one(Kind.F8F6F4, Element.E5M2, Element.F16, 64, 64, 16, 64),
                one(Kind.I8, Element.S8, Element.S32, 128, 128, 48, 128),
                one(Kind.I8, Element.U8, Element.S32, 0, 64, 24, 96),
                one(Kind.F16, Element.BF16, Element.F32, 128, 128, 32, 64)
                        .adding()
                        .negatingB(),
                one(Kind.F16, Element.F16, Element.F16, 128, 128, 32, 64).adding(),
                one(Kind.F16, Element.BF16, Element.F32, 128, 128, 104, 64).withTensorA(),
                one(Kind.F8F6F4, Element.E4M3, Element.F32, 64, 128, 32, 64).withTensorA(),
                one(Kind.F16, Element.BF16, Element.F32, 128, 128, 64, 64).disabling(0, 0, 0, 0),
                one(Kind.F16, Element.BF16, Element.F32, 128, 128, 64, 64).disabling(1, -1, 0x00FF0000, 1 << 31),
                one(Kind.F16, Element.BF16, Element.F32, 32, 64, 8, 16).disabling(0xFF, 0xFFFF, 0, -1),
                pair(Kind.F16, Element.BF16, Element.F32, 128, 256, 64, 64).disabling(0, 3, -1, 0, 1, 0, 0, 1 << 31),
                pair(Kind.F16, Element.F16, Element.F32, 128, 128, 64, 64).disabling(7, 0, 0, 1, 0, -1, 2, 0),
                pair(Kind.F16, Element.BF16, Element.F32, 128, 256, 256, 64),
                pair(Kind.F16, Element.BF16, Element.F32, 64, 256, 48, 32),
                pair(Kind.F16, Element.F16, Element.F32, 128, 128, 64, 64),
                pair(Kind.TF32, Element.TF32, Element.F32, 0, 128, 32, 24),
                pair(Kind.F8F6F4, Element.E4M3, Element.F32, 128, 256, 112, 128).adding(),
                pair(Kind.I8, Element.S8, Element.S32, 64, 128, 96, 64),
                pair(Kind.F16, Element.BF16, Element.F32, 128, 256, 80, 64).withTensorA(),
                transposed(CtaGroup.ONE, Kind.F16, Element.BF16, 128, 64, 128, 96),
                transposed(CtaGroup.ONE, Kind.F16, Element.F16, 0, 32, 64, 48),
                transposed(CtaGroup.ONE, Kind.F8F6F4, Element.E4M3, 128, 32, 128, 64),
                transposed(CtaGroup.ONE, Kind.I8, Element.S8, 64, 0, 64, 32),
                transposed(CtaGroup.TWO, Kind.F16, Element.BF16, 64, 128, 256, 128),
                transposed(CtaGroup.TWO, Kind.F8F6F4, Element.E5M2, 32, 32, 128, 64));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void isTheSumOfProducts(MultiplyCase c) {
        SplittableRandom random = new SplittableRandom(c.toString().hashCode());
        for (long seed : List.of(0L, 1L, 6L)) {
            assertThat(c.firstWrong(random, seed)).isEmpty();
        }
    }

    @Test
    void casesAssemble() throws Exception {
        for (MultiplyCase c : Selection.of(cases().toList(), 8)) {
            Ptxas.assemble(c.module());
        }
    }
}
