package dev.tilewright.space.family;

import dev.tilewright.model.space.Config;
import dev.tilewright.space.Parameter;
import java.util.stream.Stream;

/** In which order the cluster tiles of several GEMMs stand in their table, and so are handed out. */
public enum TileOrder {
    /** Group after group, as the problem names them. */
    AS_GIVEN("asGiven"),
    /** Those with the most k blocks first, so that the short ones fill the end; else as given. */
    LONGEST_FIRST("longestFirst");

    /** Name of the parameter. */
    public static final String PARAMETER = "tileOrder";

    private final String value;

    TileOrder(String value) {
        this.value = value;
    }

    /** What is tried of several GEMMs, which stand in a table. */
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
