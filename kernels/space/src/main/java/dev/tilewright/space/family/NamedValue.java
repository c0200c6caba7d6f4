package dev.tilewright.space.family;

import dev.tilewright.model.space.Config;
import java.util.Arrays;

/** The values of a parameter that are names, as an enum whose constants write themselves as those names. */
final class NamedValue {

    private NamedValue() {}

    /**
     * The constant that a config names.
     *
     * @throws IllegalArgumentException naming the parameter, what it may be and what it is
     */
    static <E extends Enum<E>> E of(E[] values, String parameter, Config config) {
        String name = config.name(parameter);
        for (E value : values) {
            if (value.toString().equals(name)) {
                return value;
            }
        }
        throw new IllegalArgumentException(
                parameter + " must be one of " + Arrays.toString(values) + ", got '" + name + "'");
    }
}
