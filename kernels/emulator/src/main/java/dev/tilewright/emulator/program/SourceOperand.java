package dev.tilewright.emulator.program;

import dev.tilewright.emulator.warp.Warp;

/** A source operand: a register or a constant. Its bits are zero-extended from the size of the register. */
public final class SourceOperand {
    private final int word;
    private final int wide;
    private final long constant;

    private SourceOperand(int word, int wide, long constant) {
        this.word = word;
        this.wide = wide;
        this.constant = constant;
    }

    static SourceOperand word(int register) {
        return new SourceOperand(register, -1, 0);
    }

    static SourceOperand wide(int register) {
        return new SourceOperand(-1, register, 0);
    }

    public static SourceOperand constant(long bits) {
        return new SourceOperand(-1, -1, bits);
    }

    public long get(Warp warp, int lane) {
        if (word >= 0) {
            return warp.words[(word << 5) + lane] & 0xFFFFFFFFL;
        }
        return wide >= 0 ? warp.wides[(wide << 5) + lane] : constant;
    }

    /** The low 32 bits. */
    public int word(Warp warp, int lane) {
        return word >= 0 ? warp.words[(word << 5) + lane] : (int) get(warp, lane);
    }

    /** The upper half of a register of 128 bits. */
    public long high(Warp warp, int lane) {
        return warp.wides[(wide + 1 << 5) + lane];
    }
}
