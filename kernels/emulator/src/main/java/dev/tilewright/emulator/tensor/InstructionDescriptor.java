package dev.tilewright.emulator.tensor;

import dev.tilewright.ptx.instruction.CtaGroup;
import dev.tilewright.ptx.instruction.Tcgen05.Kind;
import dev.tilewright.ptx.type.Element;
import java.util.Optional;

/**
 * The instruction descriptor of a dense tcgen05.mma of kinds f16, tf32, f8f6f4 and i8, decoded bit by bit. PTX
 * 9.7.16.4.2, shapes 9.7.16.2.1.
 *
 * @param m rows of D, of both CTAs of a pair
 * @param n columns of D
 */
public record InstructionDescriptor(
        Element a,
        Element b,
        Element d,
        boolean saturate,
        boolean negateA,
        boolean negateB,
        boolean transposeA,
        boolean transposeB,
        int m,
        int n) {
    /** The instruction of bits that are not refused. */
    public static InstructionDescriptor decode(Kind kind, int bits) {
        return new InstructionDescriptor(
                operand(kind, bits >>> 7 & 7).orElseThrow(),
                operand(kind, bits >>> 10 & 7).orElseThrow(),
                accumulator(kind, bits >>> 4 & 3).orElseThrow(),
                (bits >>> 3 & 1) != 0,
                (bits >>> 13 & 1) != 0,
                (bits >>> 14 & 1) != 0,
                (bits >>> 15 & 1) != 0,
                (bits >>> 16 & 1) != 0,
                (bits >>> 24 & 31) << 4,
                (bits >>> 17 & 63) << 3);
    }

    private static Optional<Element> operand(Kind kind, int code) {
        return Optional.ofNullable(
                switch (kind) {
                    case F16 -> code == 0 ? Element.F16 : code == 1 ? Element.BF16 : null;
                    case TF32 -> code == 2 ? Element.TF32 : null;
                    case F8F6F4 -> code == 0 ? Element.E4M3 : code == 1 ? Element.E5M2 : null;
                    case I8 -> code == 0 ? Element.U8 : code == 1 ? Element.S8 : null;
                });
    }

    private static Optional<Element> accumulator(Kind kind, int code) {
        return Optional.ofNullable(
                switch (kind) {
                    case F16, F8F6F4 -> code == 0 ? Element.F16 : code == 1 ? Element.F32 : null;
                    case TF32 -> code == 1 ? Element.F32 : null;
                    case I8 -> code == 2 ? Element.S32 : null;
                });
    }

    /** Why the bits name no instruction of the kind, if so. */
    public static Optional<String> refusal(Kind kind, CtaGroup group, int bits) {
        if ((bits & 4) != 0) {
            return Optional.of("bit 2, a sparse A, is not emulated");
        }
        if ((bits & (3 | 1 << 6 | 1 << 23 | 1 << 29 | 3 << 30)) != 0) {
            return Optional.of("bits 0-1, 6, 23 and 29-31 must be 0 for a dense multiplication without .ws");
        }
        for (int at = 7; at <= 10; at += 3) {
            if (operand(kind, bits >>> at & 7).isEmpty()) {
                return Optional.of("bits " + at + "-" + (at + 2) + " say type " + (bits >>> at & 7)
                        + ", of which kind::" + kind.ptx() + " knows nothing here");
            }
        }
        if (accumulator(kind, bits >>> 4 & 3).isEmpty()) {
            return Optional.of(
                    "bits 4-5 say accumulators of type " + (bits >>> 4 & 3) + ", not of kind::" + kind.ptx());
        }
        InstructionDescriptor i = decode(kind, bits);
        if (kind == Kind.F16 && i.d == Element.F16 && (i.a != Element.F16 || i.b != Element.F16)) {
            return Optional.of("accumulators of f16 need operands of f16");
        }
        if (i.saturate && kind != Kind.I8) {
            return Optional.of("bit 3, saturation, is for integers");
        }
        if (kind == Kind.I8 && (i.negateA || i.negateB)) {
            return Optional.of("bits 13-14, negation, are not for integers");
        }
        if (kind == Kind.TF32 && (i.transposeA || i.transposeB)) {
            return Optional.of("tf32 that is not K-major needs a swizzle with atoms of 32 bytes, not emulated");
        }
        return i.shapeRefusal(kind, group);
    }

    private Optional<String> shapeRefusal(Kind kind, CtaGroup group) {
        int ctas = group.ctas();
        if (m != 64 * ctas && m != 128 * ctas) {
            return Optional.of("M is " + m + ", not " + 64 * ctas + " or " + 128 * ctas + " with ." + group.ptx());
        }
        boolean wide = transposeB && b.bits() == 8;
        int step = kind == Kind.I8 ? (ctas == 2 ? 32 : n > 32 ? 16 : 8) : 8 * ctas;
        step = wide ? Math.max(step, 16 * ctas) : step;
        if (n < step || n > 256 || n % step != 0) {
            return Optional.of("N is " + n + ", not a multiple of " + step + " up to 256 with ." + group.ptx()
                    + (wide ? " and an N-major B of 8 bits" : ""));
        }
        return Optional.empty();
    }

    /** Depth in elements. */
    public int k() {
        return 256 / a.bits();
    }
}
