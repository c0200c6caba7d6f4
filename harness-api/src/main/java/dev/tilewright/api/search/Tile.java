package dev.tilewright.api.search;

import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;

/**
 * How the output is cut, how a CTA shares the work on its part, and how many CTAs share operands: what decides how a
 * shape fits the waves of a GPU and what a kernel draws. Configs of one tile differ in details.
 *
 * @param values of the parameters that make a tile, as far as the family has them
 */
public record Tile(List<ParameterValue> values) {

    static final List<String> PARAMETERS = List.of("mode", "tileM", "tileN", "tileK", "clusterM", "clusterN");

    public Tile {
        values = List.copyOf(values);
    }

    public static Tile of(Config config) {
        return new Tile(present(config).map(config::value).toList());
    }

    /** The config with this tile instead of its own; one of the same family. */
    Config in(Config config) {
        Config moved = config;
        Iterator<ParameterValue> next = values.iterator();
        for (String parameter : present(config).toList()) {
            moved = moved.with(parameter, next.next());
        }
        return moved;
    }

    private static Stream<String> present(Config config) {
        return PARAMETERS.stream().filter(config::has);
    }
}
