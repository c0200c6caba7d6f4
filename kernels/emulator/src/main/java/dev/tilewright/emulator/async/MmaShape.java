package dev.tilewright.emulator.async;

import dev.tilewright.emulator.tensor.HopperSums;
import dev.tilewright.ptx.type.Element;
import java.util.Optional;

/**
 * The shape of a wgmma instruction; one object for each instruction of a program, compared by identity. A record's
 * equality would compare the arrays by identity too.
 */
public final class MmaShape {
    /** Depth of an instruction in bytes of a row of A or B. */
    static final int DEPTH = 32;

    private final int n;
    private final int[] d;
    private final Element accumulator;
    private final Element typeA;
    private final Element typeB;
    private final boolean saturate;
    private final Signs signs;
    private final Optional<HopperSums.Widths> widths;
    private final boolean transposeA;
    private final boolean transposeB;

    /** The operands that are negated. */
    public record Signs(boolean negateA, boolean negateB) {
        float a() {
            return negateA ? -1f : 1f;
        }

        float b() {
            return negateB ? -1f : 1f;
        }
    }

    /**
     * A wgmma of 64 x n.
     *
     * @param d word registers of the accumulators: n / 2, or n / 4 pairs of f16
     * @param saturate whether s32 accumulators are clamped
     * @param transposeA whether A is M-major
     * @param transposeB whether B is N-major
     */
    public MmaShape(
            int n,
            int[] d,
            Element accumulator,
            Element typeA,
            Element typeB,
            boolean saturate,
            Signs signs,
            boolean transposeA,
            boolean transposeB) {
        this.n = n;
        this.d = d;
        this.accumulator = accumulator;
        this.typeA = typeA;
        this.typeB = typeB;
        this.saturate = saturate;
        this.signs = signs;
        this.widths = HopperSums.Widths.of(accumulator, typeA, typeB);
        this.transposeA = transposeA;
        this.transposeB = transposeB;
    }

    int n() {
        return n;
    }

    /** Depth in elements: 8, 16 or 32. */
    int k() {
        return DEPTH * 8 / typeA.bits();
    }

    int[] d() {
        return d;
    }

    Element accumulator() {
        return accumulator;
    }

    Element typeA() {
        return typeA;
    }

    MatrixReader readerA() {
        return new MatrixReader(typeA, 64, transposeA, signs.a());
    }

    MatrixReader readerB() {
        return new MatrixReader(typeB, n, transposeB, signs.b());
    }

    boolean saturate() {
        return saturate;
    }

    Signs signs() {
        return signs;
    }

    /** Bits that the tensor core keeps of summands and sums; empty where sums are rounded once. */
    Optional<HopperSums.Widths> widths() {
        return widths;
    }

    /** The same for m64nNkK of one N and K: accumulators of such wgmmas follow one another without a fence. */
    int code() {
        return n * 64 + k();
    }

    /** True if both shapes hold their accumulators in the same registers alike: then the products follow in order. */
    boolean accumulatesLike(MmaShape other) {
        return n == other.n && accumulator == other.accumulator;
    }
}
