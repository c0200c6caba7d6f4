package dev.tilewright.model.exchange;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import java.util.Map;
import java.util.TreeMap;

/**
 * A config as a request has it: values by name, a JSON object; or a text, a JSON string, which only its family reads.
 */
public sealed interface ConfigRequest {

    /** Values by name. */
    record NamedValues(Config config) implements ConfigRequest {
        @Override
        public Object json() {
            return config.values();
        }

        @Override
        public String words() {
            return config.canonical();
        }

        @Override
        public Config whole() {
            return config;
        }
    }

    /**
     * Parts in the words of a family, perhaps behind its name, such as {@code static 128x256x64 s4 groupedM8 coop2}.
     */
    record Text(String words) implements ConfigRequest {
        @Override
        public Object json() {
            return words;
        }

        @Override
        public Config whole() {
            throw new IllegalStateException("the config was stored before its family read it: " + words);
        }
    }

    @JsonValue
    Object json();

    /** A text that the family reads: words, or {@code name=value} pairs. */
    String words();

    /** The config of a request that was read: whatever is stored has values. */
    Config whole();

    static ConfigRequest of(Config config) {
        return new NamedValues(config);
    }

    /**
     * Reads a JSON object or string.
     *
     * @throws IllegalArgumentException if it is neither, or a value is no whole number and no name
     */
    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    static ConfigRequest fromJson(Object json) {
        return switch (json) {
            case String text -> new Text(text);
            case Map<?, ?> values -> {
                Map<String, ParameterValue> read = new TreeMap<>();
                values.forEach((name, value) -> read.put(String.valueOf(name), ParameterValue.fromJson(value)));
                yield new NamedValues(Config.of(read));
            }
            default ->
                throw new IllegalArgumentException(
                        "a config is an object with a value for each parameter, or a text, got " + json);
        };
    }
}
