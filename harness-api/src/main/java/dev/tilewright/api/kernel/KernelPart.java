package dev.tilewright.api.kernel;

import java.util.Locale;

/** A stored file of a kernel. */
public enum KernelPart {
    PTX,
    CUBIN,
    LAUNCH;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
