package dev.tilewright.space.parameter;

import dev.tilewright.space.Parameter;

/** In which order the cluster tiles of several GEMMs stand in their table, and so are handed out. */
public enum TileOrder {
    /** Group after group, as the problem names them. */
    AS_GIVEN("asGiven"),
    /** The tiles with the most k blocks first, so that short tiles fill the end; otherwise as given. */
    LONGEST_FIRST("longestFirst");

    /** Configs of one GEMM do not have it. */
    public static final Key<TileOrder> KEY =
            Key.named("tileOrder", TileOrder.class).or(AS_GIVEN);

    private final String value;

    TileOrder(String value) {
        this.value = value;
    }

    /** The orders that are tried for several GEMMs, which a table lists. */
    public static Parameter parameter() {
        return Parameter.launch(KEY.name(), AS_GIVEN.toString(), LONGEST_FIRST.toString());
    }

    @Override
    public String toString() {
        return value;
    }
}
