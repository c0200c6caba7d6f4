package dev.tilewright.emulator.matrix;

import dev.tilewright.ptx.type.Element;
import java.nio.ByteBuffer;

/**
 * Where an operand of a wgmma lies in shared memory by the tables of PTX 9.7.15.5.1.2, spelt out for a test.
 *
 * @param span bytes of the swizzle, 0 for none
 * @param transposed MN-major
 * @param rows along M or N
 * @param depth elements along K
 * @param padding added to the stride between groups of 8 rows, where there is one, a multiple of 1024
 * @param shift lines of 128 bytes by which the patterns begin behind a multiple of 1024
 */
public record SharedLayout(Element type, int span, boolean transposed, int rows, int depth, int padding, int shift) {
    private int size() {
        return type.bits() / 8;
    }

    private int groupsAlongK() {
        return depth * size() / 16;
    }

    /** Bytes between 8-row groups for K-major, between groups of 8 along k, or of 8 along MN without swizzle. */
    int stride() {
        if (span > 0) {
            return 8 * span + (transposed ? 0 : padding);
        }
        return transposed ? 128 : 128 * groupsAlongK() + padding;
    }

    int leading() {
        if (transposed) {
            return span > 0 ? 8 * span * (depth / 8) : 128 * (rows * size() / 16);
        }
        return span > 0 ? 16 : 128;
    }

    /** Byte of element (row, k) from the start of the operand, which itself begins {@code shift} lines in. */
    int offset(int row, int k) {
        int linear;
        if (transposed) {
            linear = span > 0
                    ? row * size() / span * leading() + k / 8 * stride() + k % 8 * span + row * size() % span
                    : row * size() / 16 * stride() + k / 8 * leading() + k % 8 * 16 + row * size() % 16;
        } else {
            int at = k * size();
            linear = span > 0
                    ? row / 8 * stride() + row % 8 * span + at
                    : row / 8 * stride() + row % 8 * 16 + at / 16 * leading() + at % 16;
        }
        if (span == 0) {
            return linear;
        }
        // The 16-byte chunk within the span is exchanged by the number of the line within the pattern.
        int chunks = span / 16;
        int chunk = linear / 16 % chunks;
        int line = linear / 128 % chunks;
        return linear - 16 * chunk + 16 * (chunk ^ line);
    }

    /** Bytes that the start address moves on for each instruction along k. */
    public int step() {
        if (transposed) {
            return 4 / size() * (span > 0 ? stride() : leading());
        }
        return span > 0 ? 32 : 2 * leading();
    }

    /** Room it takes. */
    public int bytes() {
        int last = 0;
        for (int row = 0; row < rows; row++) {
            for (int k = 0; k < depth; k++) {
                last = Math.max(last, offset(row, k));
            }
        }
        return last / 1024 * 1024 + 1024;
    }

    /** The descriptor but for the start address. */
    long descriptor() {
        long code = switch (span) {
            case 0 -> 0;
            case 128 -> 1;
            case 64 -> 2;
            default -> 3;
        };
        return code << 62 | (long) shift << 49 | (long) (stride() >> 4) << 32 | (long) (leading() >> 4) << 16;
    }

    /** The descriptor of tcgen05 but for the start address. */
    public long tensorDescriptor() {
        long code = switch (span) {
            case 0 -> 0;
            case 128 -> 2;
            case 64 -> 4;
            default -> 6;
        };
        return code << 61
                | (long) shift << 49
                | 1L << 46
                | (long) (stride() >> 4) << 32
                | (long) (leading() >> 4) << 16;
    }

    public void fill(ByteBuffer memory, int start, int[][] values) {
        for (int row = 0; row < rows; row++) {
            for (int k = 0; k < depth; k++) {
                Elements.put(memory, start + offset(row, k), type, values[row][k]);
            }
        }
    }
}
