package dev.tilewright.model.trial;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The source of a number. The kinds are never mixed: only {@link #CUDA} is measured. Written in lower case. */
public enum TestbedKind {
    /** A real GPU. */
    CUDA,
    /** The functional emulator: proves results, gives no times. */
    EMULATED,
    /** The discrete-event model: predicts times. */
    SIMULATED;

    /** Whether a testbed, of which there may be none yet, is of this kind. */
    public boolean isOf(@Nullable Testbed testbed) {
        return testbed != null && testbed.kind() == this;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
