package dev.tilewright.emulator.program;

import dev.tilewright.emulator.warp.Warp;

/** A register that is written: of up to 32 bits a word, otherwise wide. Narrow registers keep their low bits. */
public final class DestinationOperand {
    private final boolean isWord;
    private final int index;
    private final int mask;

    DestinationOperand(boolean isWord, int index, int bits) {
        this.isWord = isWord;
        this.index = index;
        mask = bits >= 32 ? -1 : (1 << bits) - 1;
    }

    public void set(Warp warp, int lane, long bits) {
        if (isWord) {
            warp.words[(index << 5) + lane] = (int) bits & mask;
        } else {
            warp.wides[(index << 5) + lane] = bits;
        }
    }

    /** The upper half of a register of 128 bits. */
    public void setHigh(Warp warp, int lane, long bits) {
        warp.wides[(index + 1 << 5) + lane] = bits;
    }
}
