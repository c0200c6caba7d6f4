package dev.tilewright.space.family;

import dev.tilewright.model.space.Config;

/** The event that a dynamic scheduler waits for before it requests the next tile. */
public enum Throttle {
    /** Nothing: it asks as soon as the ring has a free slot. */
    NONE("none"),
    /** The loading thread has taken the tile up. */
    LOAD("load"),
    /** It has issued all loads of the tile: nobody is ahead of the multiplications by more than the stages hold. */
    LOADED("loaded"),
    /** All multiplications of the tile have been issued. */
    MAINLOOP("mainloop");

    /** Name of the parameter. */
    static final String PARAMETER = "clcThrottle";

    private final String value;

    Throttle(String value) {
        this.value = value;
    }

    static Throttle of(Config config) {
        return NamedValue.of(values(), PARAMETER, config);
    }

    /** The value of a config; {@link #NONE} if the config does not set it. */
    static Throttle orNone(Config config) {
        return config.has(PARAMETER) ? of(config) : NONE;
    }

    @Override
    public String toString() {
        return value;
    }
}
