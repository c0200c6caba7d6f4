package dev.tilewright.model.trial;

import java.util.Locale;

/** How much evidence a measurement rests on. Written in lower case. */
public enum Stage {
    /** A few launches, to see who may contend. */
    SCREEN,
    /**
     * Blocks beside each other, to choose the finalists: at the same clock with the anchor, in steady state without.
     */
    CONTEND,
    /** Fresh blocks in steady state beside the peers; best configs and ratios come from here alone. */
    FINAL;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
