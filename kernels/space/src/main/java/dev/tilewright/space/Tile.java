package dev.tilewright.space;

import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import java.util.List;

/**
 * The tile of a config: the values of the parameters that its family says make one. Configs of one tile differ in
 * details.
 *
 * @param values in the order of the family, as far as the config has them
 */
public record Tile(List<ParameterValue> values) {

    public Tile {
        values = List.copyOf(values);
    }

    /** @param parameters that make a tile */
    public static Tile of(List<String> parameters, Config config) {
        return new Tile(
                parameters.stream().filter(config::has).map(config::value).toList());
    }
}
