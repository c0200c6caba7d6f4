package dev.tilewright.space;

import dev.tilewright.model.space.ParameterValue;
import java.util.stream.IntStream;

/** What toy spaces are made of. */
final class Toy {

    private Toy() {}

    /** A parameter with the values 0 to {@code count} - 1. */
    static Parameter upTo(String name, int count) {
        return new Parameter(
                name,
                Parameter.Kind.TEXT,
                IntStream.range(0, count).mapToObj(ParameterValue::of).toList());
    }
}
