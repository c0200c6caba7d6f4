package dev.tilewright.space.family;

import dev.tilewright.model.space.Config;
import dev.tilewright.space.Parameter;
import java.util.stream.Stream;

/** In which order the cluster tiles of several GEMMs stand in their table, and so are handed out. */
public enum TileOrder {
    /** Group after group, as the problem names them. */
    AS_GIVEN("asGiven"),
    /** The tiles with the most k blocks first, so that short tiles fill the end; otherwise as given. */
    LONGEST_FIRST("longestFirst");

    /** Name of the parameter. */
    public static final String PARAMETER = "tileOrder";

    private final String value;

    TileOrder(String value) {
        this.value = value;
    }

    /** The orders that are tried for several GEMMs, which a table lists. */
    static Stream<Parameter> parameters() {
        return Stream.of(Parameter.text(TileLocation.PARAMETER, TileLocation.TABLE.toString()), parameter());
    }

    /** The order alone. */
    static Parameter parameter() {
        return Parameter.launch(PARAMETER, AS_GIVEN.toString(), LONGEST_FIRST.toString());
    }

    /** The order that a config names; of one GEMM it names none. */
    public static TileOrder orAsGiven(Config config) {
        return config.has(PARAMETER) ? NamedValue.of(values(), PARAMETER, config) : AS_GIVEN;
    }

    @Override
    public String toString() {
        return value;
    }
}
