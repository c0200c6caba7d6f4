package dev.tilewright.ptx.type;

import dev.tilewright.ptx.type.RegisterType.B32;

/**
 * {@code [base+offset]} in the tensor memory of the CTA: bits 31..16 are the lane, bits 15..0 the column of 32 bits.
 * PTX 9.7.16.1.
 *
 * @param offset columns, added to the base as a number
 */
public record TensorAddress(Reg<B32> base, int offset) {
    public static TensorAddress of(Reg<B32> base) {
        return new TensorAddress(base, 0);
    }

    public TensorAddress plus(int columns) {
        return new TensorAddress(base, Math.addExact(offset, columns));
    }
}
