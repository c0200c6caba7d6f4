package dev.tilewright.space.parameter;

/** How a kernel knows where the cluster tile with a number lies. */
public enum TileLocation {
    /** It computes it, from the extents of the one output. */
    RASTER("raster"),
    /** It looks it up in a table that the host has made: of several GEMMs. */
    TABLE("table");

    /** Configs need not say it where it is computed. */
    public static final Key<TileLocation> KEY =
            Key.named("tileLocation", TileLocation.class).or(RASTER);

    private final String value;

    TileLocation(String value) {
        this.value = value;
    }

    @Override
    public String toString() {
        return value;
    }
}
