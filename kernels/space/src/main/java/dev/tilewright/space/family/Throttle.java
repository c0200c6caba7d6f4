package dev.tilewright.space.family;

import dev.tilewright.model.space.Config;

/** What a dynamic scheduler waits for before it asks on behalf of a tile. */
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

    /** Where configs need not say it, those that do not wait for nothing. */
    static Throttle orNone(Config config) {
        return config.has(PARAMETER) ? of(config) : NONE;
    }

    @Override
    public String toString() {
        return value;
    }
}
