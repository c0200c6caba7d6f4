package dev.tilewright.model.space;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** One point of a search space: a value for each parameter, in the order of their names. */
public record Config(SortedMap<String, ParameterValue> values) {

    public Config {
        values = Collections.unmodifiableSortedMap(new TreeMap<>(values));
    }

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public static Config of(Map<String, ParameterValue> values) {
        return new Config(new TreeMap<>(values));
    }

    /** The config that a text of {@link #pairs} means; so {@code parse(config.canonical())} is the config. */
    public static Config parse(String text) {
        return of(pairs(text));
    }

    /**
     * Reads {@code name=value} pairs, separated by blanks, in the order of the text; of a name that comes twice, the
     * last value counts.
     *
     * @throws IllegalArgumentException naming what is no such pair
     */
    public static SequencedMap<String, ParameterValue> pairs(String text) {
        SequencedMap<String, ParameterValue> values = new LinkedHashMap<>();
        for (String pair : text.split(" ")) {
            int sign = pair.indexOf('=');
            if (sign > 0) {
                values.put(pair.substring(0, sign), ParameterValue.parse(pair.substring(sign + 1)));
            } else if (!pair.isEmpty()) {
                throw new IllegalArgumentException("a parameter must be given as name=value, got '" + pair + "'");
            }
        }
        return values;
    }

    @Override
    @JsonValue
    public SortedMap<String, ParameterValue> values() {
        return values;
    }

    public boolean has(String parameter) {
        return values.containsKey(parameter);
    }

    /**
     * The value of a parameter.
     *
     * @throws IllegalArgumentException if the config has none
     */
    public ParameterValue value(String parameter) {
        ParameterValue value = values.get(parameter);
        if (value == null) {
            throw new IllegalArgumentException("config has no parameter '" + parameter + "': " + canonical());
        }
        return value;
    }

    /** The value of a parameter that is a whole number. */
    public int whole(String parameter) {
        return switch (value(parameter)) {
            case ParameterValue.Whole(int value) -> value;
            case ParameterValue.Name(String value) ->
                throw new IllegalArgumentException(parameter + " must be a whole number, got '" + value + "'");
        };
    }

    /** The same, where a config may leave the parameter out. */
    public int whole(String parameter, int absent) {
        return has(parameter) ? whole(parameter) : absent;
    }

    /** The value of a parameter that is a name. */
    public String name(String parameter) {
        return switch (value(parameter)) {
            case ParameterValue.Name(String value) -> value;
            case ParameterValue.Whole(int value) ->
                throw new IllegalArgumentException(parameter + " must be a name, got " + value);
        };
    }

    /** The same config with one more parameter, or another value for it. */
    public Config with(String parameter, ParameterValue value) {
        TreeMap<String, ParameterValue> changed = new TreeMap<>(values);
        changed.put(parameter, value);
        return new Config(changed);
    }

    /**
     * The values of these parameters alone.
     *
     * @throws IllegalArgumentException if the config has none for one of them
     */
    public Config only(Collection<String> parameters) {
        TreeMap<String, ParameterValue> kept = new TreeMap<>();
        parameters.forEach(parameter -> kept.put(parameter, value(parameter)));
        return new Config(kept);
    }

    /** {@code name=value} pairs in the order of their names, separated by one blank: equal configs, equal text. */
    public String canonical() {
        return values.entrySet().stream()
                .map(entry -> entry.getKey() + "=" + entry.getValue())
                .collect(Collectors.joining(" "));
    }

    /** SHA-256 of {@link #canonical()}, in hexadecimal. */
    public String hash() {
        return Sha256.hex(canonical());
    }

    @Override
    public String toString() {
        return canonical();
    }
}
