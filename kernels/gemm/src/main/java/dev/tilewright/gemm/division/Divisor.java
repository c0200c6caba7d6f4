package dev.tilewright.gemm.division;

import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Operand;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;

/**
 * A divisor d that is known before the kernel runs. {@code div.u32} and {@code rem.u32} become a routine of some twenty
 * instructions, three of them conversions by way of a float, also where the divisor is an immediate, and even a power
 * of two: ptxas leaves that to whoever writes the text. With s the bits of d - 1 and m = ceil(2^(31+s) / d), which has
 * 32 bits,
 *
 * <pre>
 *   n / d = (2n * m) >> 32 >> s      for n below 2^31
 * </pre>
 *
 * since m d is 2^(31+s) + e with e below d at most 2^s, so that n m / 2^(31+s) exceeds n / d by less than 1 / d (T.
 * Granlund and P. Montgomery, Division by invariant integers using multiplication, 1994, theorem 4.2).
 *
 * @param value d, at least 1
 */
public record Divisor(int value) {

    public Divisor {
        if (value < 1) {
            throw new IllegalArgumentException("a divisor is at least 1, got " + value);
        }
    }

    /** s of the above, 0..31. */
    public int shift() {
        return Integer.SIZE - Integer.numberOfLeadingZeros(value - 1);
    }

    /** m of the above, as an unsigned number of 32 bits. */
    public int multiplier() {
        return (int) Math.ceilDiv(1L << (31 + shift()), (long) value);
    }

    /** {@code n / d}, of n below 2^31. */
    public Reg<B32> divide(CodeBuilder b, Operand<B32> n) {
        if (isPowerOfTwo()) {
            return b.shr(n, shift());
        }
        return quotient(b, n, Immediate.b32(Integer.toUnsignedLong(multiplier())), Immediate.b32(shift()));
    }

    /** The quotient by any divisor, of n below 2^31, its multiplier and its shift. */
    static Reg<B32> quotient(CodeBuilder b, Operand<B32> n, Operand<B32> multiplier, Operand<B32> shift) {
        return b.shr(b.mulHi(b.shl(n, 1), multiplier), shift);
    }

    /** {@code n mod d}, of n below 2^31. */
    public Reg<B32> remainder(CodeBuilder b, Operand<B32> n) {
        return isPowerOfTwo() ? b.and(n, value - 1L) : b.sub(n, b.mulLo(divide(b, n), value));
    }

    private boolean isPowerOfTwo() {
        return Integer.bitCount(value) == 1;
    }
}
