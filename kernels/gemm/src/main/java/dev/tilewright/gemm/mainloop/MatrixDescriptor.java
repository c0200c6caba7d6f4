package dev.tilewright.gemm.mainloop;

import dev.tilewright.ptx.CodeBuilder;
import dev.tilewright.ptx.type.Immediate;
import dev.tilewright.ptx.type.Reg;
import dev.tilewright.ptx.type.RegisterType.B32;
import dev.tilewright.ptx.type.RegisterType.B64;
import dev.tilewright.space.operand.OperandTile;

/**
 * Matrix descriptors of one operand's tile, for wgmma (PTX 9.7.15.5.1.2) and for tcgen05 (9.7.16.4.1). Of a descriptor
 * only the low word changes, by whole units of 16 bytes.
 *
 * <pre>
 *              K-major                          MN-major
 *   stride     8 rows, the height of a pattern  8 elements of K, likewise
 *   leading    ignored, 1 by convention         a panel: the next span of rows
 *   + K        32 bytes of the line, then the   16 lines
 *              next panel
 *   + 64 rows  64 lines                         the panels that hold them
 * </pre>
 */
record MatrixDescriptor(OperandTile tile) {

    /** Bytes of the unit in which a descriptor counts. */
    static final int UNIT = 16;

    /** Bytes along K that one instruction multiplies. */
    static final int STEP_BYTES = 32;

    private static final int ADDRESS_MASK = 0x3FFFF;
    private static final int PATTERN_LINES = 8;
    private static final int LEADING_FIELD = 16;
    private static final int SWIZZLE_FIELD = 62 - 32;
    /** Bits 46..48 of a descriptor of tcgen05 are 1. */
    private static final int TCGEN05 = 1 << 46 - 32;

    /** The high word for wgmma; no kernel of ours has swizzled over 32 bytes for it. */
    int wgmmaHighWord() {
        if (tile.span() == 32) {
            throw new IllegalArgumentException(
                    "wgmma's operands are swizzled over 64 or 128 bytes, got " + tile.span());
        }
        return highWord();
    }

    /** The high word for tcgen05. */
    int tcgen05HighWord() {
        return highWord() | TCGEN05;
    }

    /** Swizzle code and stride. */
    private int highWord() {
        int code = switch (tile.span()) {
            case 128 -> 1;
            case 64 -> 2;
            case 32 -> 3;
            default ->
                throw new IllegalArgumentException(
                        "operands are swizzled over 32, 64 or 128 bytes, got " + tile.span());
        };
        return code << SWIZZLE_FIELD | PATTERN_LINES * tile.span() / UNIT;
    }

    /** The leading-dimension byte offset in units. */
    int leading() {
        return tile.kMajor() ? 1 : tile.panelBytes() / UNIT;
    }

    /** The low word of the descriptor at an address. */
    Reg<B32> lowWord(CodeBuilder b, Reg<B32> address) {
        return b.or(b.shr(b.and(address, ADDRESS_MASK), 4), (long) leading() << LEADING_FIELD);
    }

    /** Instructions along K of the tile. */
    int steps() {
        return tile.depth() * tile.element().bytes() / STEP_BYTES;
    }

    /** Units from the start to that of the {@code step}-th instruction along K. */
    int alongK(int step) {
        int lines = STEP_BYTES / tile.element().bytes();
        int along = step * STEP_BYTES;
        int bytes = tile.kMajor()
                ? along / tile.span() * tile.panelBytes() + along % tile.span()
                : step * lines * tile.span();
        return bytes / UNIT;
    }

    /**
     * Units from the start to row {@code row}, a multiple of 8; where K is not the major, of the span of the swizzle.
     */
    int alongRows(int row) {
        return row * tile.rowStep() / UNIT;
    }

    /**
     * Descriptors of the slots of a ring of stages.
     *
     * @param lowWord of the first slot
     * @param stageBytes from a slot to the next
     */
    record InRing(Reg<B32> lowWord, int highWord, int stageBytes) {

        Reg<B64> of(CodeBuilder b, Reg<B32> slot) {
            return b.pack(b.mad(slot, Immediate.b32(stageBytes / UNIT), lowWord), Immediate.b32(highWord));
        }
    }

    /** A descriptor some units further. */
    static Reg<B64> plus(CodeBuilder b, Reg<B64> descriptor, int units) {
        return units == 0 ? descriptor : b.add(descriptor, units);
    }

    /** Whether the instruction must transpose it. */
    boolean transposed() {
        return !tile.kMajor();
    }
}
