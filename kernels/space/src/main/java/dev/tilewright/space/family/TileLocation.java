package dev.tilewright.space.family;

import dev.tilewright.model.space.Config;

/** How a kernel knows where the cluster tile with a number lies. */
public enum TileLocation {
    /** It computes it, from the extents of the one output. */
    RASTER("raster"),
    /** It looks it up in a table that the host has made: of several GEMMs. */
    TABLE("table");

    /** Name of the parameter. */
    public static final String PARAMETER = "tileLocation";

    private final String value;

    TileLocation(String value) {
        this.value = value;
    }

    /** The value of a config; {@link #RASTER} if the config does not set it. */
    public static TileLocation of(Config config) {
        return config.has(PARAMETER) ? NamedValue.of(values(), PARAMETER, config) : RASTER;
    }

    @Override
    public String toString() {
        return value;
    }
}
