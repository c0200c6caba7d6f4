package dev.tilewright.emulator.program;

import dev.tilewright.emulator.hazard.Unwritten;
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

    /** Marks the results of some lanes of the instruction under way as undefined. */
    public void undefine(Warp warp, int lanes, Unwritten origin) {
        warp.undefineBehind(id(warp), lanes, origin);
    }

    /** The lanes of some in which the register means nothing. */
    public int undefined(Warp warp, int lanes) {
        return warp.undefined(new int[] {id(warp)}, lanes);
    }

    private int id(Warp warp) {
        return isWord ? index : warp.wideId(index);
    }

    /** The upper half of a register of 128 bits. */
    public void setHigh(Warp warp, int lane, long bits) {
        warp.wides[(index + 1 << 5) + lane] = bits;
    }
}
