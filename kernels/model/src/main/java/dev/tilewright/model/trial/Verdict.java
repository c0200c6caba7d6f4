package dev.tilewright.model.trial;

import java.util.Locale;

/** The verdict of the emulator on a kernel. Written in lower case. */
public enum Verdict {
    /** Right results without a hazard, in every run, each CTA with several tiles and each ring gone round. */
    PROVED,
    /** A wrong result or a hazard was found; the finding says which and where. */
    REFUTED,
    /** Nothing was found, but too little was exercised for a proof. */
    SHALLOW,
    /** The emulator cannot run it. */
    UNSUPPORTED;

    /** Whether it says something of the text for good, so that another run of the same text is not needed. */
    public boolean isConclusive() {
        return this == PROVED || this == REFUTED;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
