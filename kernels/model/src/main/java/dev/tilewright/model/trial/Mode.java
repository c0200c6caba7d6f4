package dev.tilewright.model.trial;

import java.util.Locale;

/** The state of the GPU before the timed launches. Written in lower case. */
public enum Mode {
    /** Launch behind launch, as in a running service. */
    SUSTAINED,
    /** L2 flushed before each launch. */
    COLD;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
