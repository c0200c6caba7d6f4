package dev.tilewright.launch.bundle;

import dev.tilewright.model.space.ParameterValue;
import java.util.List;

/**
 * An axis of the space of a bundle.
 *
 * @param values each once, in the order in which they are tried; all whole numbers, or all words
 */
public record BundleParameter(String name, List<ParameterValue> values) {
    public BundleParameter {
        values = List.copyOf(values);
    }
}
