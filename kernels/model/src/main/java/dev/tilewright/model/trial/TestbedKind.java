package dev.tilewright.model.trial;

import java.util.Locale;

/** Where a number comes from. The kinds are never mixed: only {@link #CUDA} is measured. Written in lower case. */
public enum TestbedKind {
    /** A real GPU. */
    CUDA,
    /** The functional emulator: proves results, gives no times. */
    EMULATED,
    /** The discrete-event model: predicts times. */
    SIMULATED;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
