package dev.tilewright.gemm.space;

import dev.tilewright.model.space.Config;

/** What a dynamic scheduler waits for before it asks on behalf of a tile. */
public enum Throttle {
    /** Nothing: it asks as soon as the ring has a free slot. */
    NONE("none"),
    /** The loading thread has taken the tile up. */
    LOAD("load"),
    /** All multiplications of the tile have been issued. */
    MAINLOOP("mainloop");

    private final String value;

    Throttle(String value) {
        this.value = value;
    }

    static Throttle of(Config config) {
        return NamedValue.of(values(), "clcThrottle", config);
    }

    @Override
    public String toString() {
        return value;
    }
}
