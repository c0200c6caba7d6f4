package dev.tilewright.gemm.space;

import dev.tilewright.model.space.Config;

/** In which order the cluster tiles of several GEMMs stand in their table, and so are handed out. */
public enum TileOrder {
    /** Group after group, as the problem names them. */
    AS_GIVEN("asGiven"),
    /** Those with the most k blocks first, so that the short ones fill the end; else as given. */
    LONGEST_FIRST("longestFirst");

    private final String value;

    TileOrder(String value) {
        this.value = value;
    }

    /** The order that a config names. */
    public static TileOrder of(Config config) {
        return NamedValue.of(values(), "tileOrder", config);
    }

    @Override
    public String toString() {
        return value;
    }
}
