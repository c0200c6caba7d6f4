package dev.tilewright.emulator.tcgen05;

import dev.tilewright.emulator.warp.Warp;
import org.jspecify.annotations.Nullable;

/** A warp's part in an allocation by both CTAs of a pair, until the other CTA has done its part. */
final class PairRequest {
    private static final int NONE = -1;

    final Warp warp;
    final int count;
    private int granted = NONE;

    PairRequest(Warp warp, int count) {
        this.warp = warp;
        this.count = count;
    }

    void grant(int column) {
        granted = column;
    }

    /** The first column, null while there is none. */
    @Nullable
    Integer granted() {
        return granted == NONE ? null : granted;
    }
}
