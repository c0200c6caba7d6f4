package dev.tilewright.space.family;

import dev.tilewright.model.space.Config;

/** Which tiles the clusters of a grid share along K, so that each of them has as many blocks. */
public enum StreamK {
    /** None: each tile is computed as the scheduler hands it out. */
    NONE("none"),
    /** Those that do not fill a wave. */
    REMAINDER("remainder");

    /** Name of the parameter. */
    public static final String PARAMETER = "streamK";

    private final String value;

    StreamK(String value) {
        this.value = value;
    }

    /** Configs need not say it where no tiles are shared. */
    public static StreamK orNone(Config config) {
        return config.has(PARAMETER) ? NamedValue.of(values(), PARAMETER, config) : NONE;
    }

    @Override
    public String toString() {
        return value;
    }
}
