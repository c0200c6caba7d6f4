package dev.tilewright.examples.step;

import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.B64;
import dev.tilewright.ptx.type.SharedAddress;

/**
 * The 64 bits that tell a tensor core where an operand lies in shared memory: K-major, each row 64 elements in a line
 * of 128 bytes, the 16-byte chunks of a line swizzled by the row modulo 8. Addresses and distances count in units of 16
 * bytes.
 *
 * <pre>
 *   bits 0..13    address, a multiple of 1024 bytes for the first row
 *   bits 16..29   1: swizzled K-major operands ignore the leading dimension
 *   bits 32..45   64: 8 rows of 128 bytes to the next group of rows
 *   bits 46..48   tcgen05 alone: 1
 *   wgmma         bits 62..63: 1, a swizzle over 128 bytes
 *   tcgen05       bits 61..63: 2, the same swizzle
 * </pre>
 */
public final class MatrixDescriptor {

    /** Bytes of 16 elements along K, the depth of one instruction. */
    public static final int STEP_BYTES = 32;

    private static final int UNIT = 16;
    private static final long ADDRESS = 0x3FFFF;
    private static final long LEADING = 1 << 16;
    private static final int STRIDE = 64;
    private static final int WGMMA = 1 << 30 | STRIDE;
    private static final int TCGEN05 = 2 << 29 | 1 << 14 | STRIDE;

    private MatrixDescriptor() {}

    /** The descriptor that wgmma takes (PTX 9.7.15.5.1). */
    public static Reg<B64> wgmma(CodeBuilder b, SharedAddress address) {
        return b.pack(lowWord(b, address), Immediate.b32(WGMMA));
    }

    /** The descriptor that tcgen05.mma takes (PTX 9.7.16.4.1). */
    public static Reg<B64> tcgen05(CodeBuilder b, SharedAddress address) {
        return b.pack(lowWord(b, address), Immediate.b32(TCGEN05));
    }

    private static Reg<B32> lowWord(CodeBuilder b, SharedAddress address) {
        Reg<B32> start = b.add(address.base(), address.offset());
        return b.or(b.shr(b.and(start, ADDRESS), 4), LEADING);
    }

    /**
     * The descriptor of what lies {@code bytes} further on: 32 for the next step along K, 8192 for the next 64 rows.
     */
    public static Reg<B64> plus(CodeBuilder b, Reg<B64> descriptor, int bytes) {
        return bytes == 0 ? descriptor : b.add(descriptor, bytes / UNIT);
    }
}
