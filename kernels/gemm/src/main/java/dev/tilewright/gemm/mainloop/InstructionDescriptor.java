package dev.tilewright.gemm.mainloop;

import dev.tilewright.model.problem.DataType;

/**
 * Descriptor of one tcgen05 multiplication: types, extents, both operands K-major, f32 accumulated. PTX 9.7.16.4.2.
 *
 * @param input type of A and B
 * @param m rows, of both CTAs in a pair
 * @param n columns
 */
public record InstructionDescriptor(DataType input, int m, int n) {

    private static final int F32_ACCUMULATOR = 1 << 4;
    private static final int TYPE_OF_A = 7;
    private static final int TYPE_OF_B = 10;
    private static final int N_OVER_8 = 17;
    private static final int M_OVER_16 = 24;

    /** The 32 bits of the descriptor. */
    public int bits() {
        int type = typeCode();
        return F32_ACCUMULATOR | type << TYPE_OF_A | type << TYPE_OF_B | n / 8 << N_OVER_8 | m / 16 << M_OVER_16;
    }

    /** Codes of {@code kind::f16}, and for one byte of {@code kind::f8f6f4}. */
    private int typeCode() {
        return switch (input) {
            case F16, E4M3 -> 0;
            case BF16, E5M2 -> 1;
            case F32 -> throw new IllegalArgumentException("tcgen05 multiplies no f32, got " + input);
        };
    }
}
