package dev.tilewright.model.space;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import java.util.SortedMap;
import java.util.StringJoiner;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * One point of a search space: a value for each parameter, in the order of their names. A search makes and compares
 * hundreds of thousands: those of one walk share their names, and each remembers its hash code.
 */
public final class Config {

    private static final int GOLDEN_RATIO = 0x9E37_79B9;

    /** Sorted; never changed. */
    private final String[] names;
    /** One for each name; never changed. */
    private final ParameterValue[] values;

    private final int hashCode;

    private Config(String[] names, ParameterValue[] values) {
        this.names = names;
        this.values = values;
        int mixed = Arrays.hashCode(names);
        for (ParameterValue value : values) {
            // Configs differ in a few small numbers: what these add must not add up to the same.
            mixed = (mixed ^ value.hashCode()) * GOLDEN_RATIO;
            mixed ^= mixed >>> 15;
        }
        hashCode = mixed;
    }

    @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
    public static Config of(Map<String, ParameterValue> values) {
        SortedMap<String, ParameterValue> sorted = new TreeMap<>(values);
        return new Config(
                sorted.keySet().toArray(String[]::new), sorted.values().toArray(ParameterValue[]::new));
    }

    /**
     * The same without sorting.
     *
     * @param names sorted; never changed by anybody
     * @param values one for each name; likewise
     */
    public static Config ofSorted(String[] names, ParameterValue[] values) {
        return new Config(names, values);
    }

    /** The config that a text of {@link #pairs} means; so {@code parse(config.canonical())} is the config. */
    public static Config parse(String text) {
        return of(pairs(text));
    }

    /** The same config with the values of a text of {@link #pairs}, which replace its own or are added to them. */
    public Config with(String pairs) {
        SortedMap<String, ParameterValue> all = new TreeMap<>(values());
        all.putAll(pairs(pairs));
        return of(all);
    }

    /**
     * Reads {@code name=value} pairs, separated by blanks, in the order of the text.
     *
     * @throws IllegalArgumentException naming what is no such pair, or the name that comes twice with both its values
     */
    public static SequencedMap<String, ParameterValue> pairs(String text) {
        SequencedMap<String, ParameterValue> values = new LinkedHashMap<>();
        for (String pair : text.split(" ")) {
            int sign = pair.indexOf('=');
            if (sign > 0) {
                String name = pair.substring(0, sign);
                ParameterValue value = ParameterValue.parse(pair.substring(sign + 1));
                ParameterValue earlier = values.put(name, value);
                if (earlier != null) {
                    throw new IllegalArgumentException(
                            "parameter '" + name + "' is given twice: " + earlier + " and " + value);
                }
            } else if (!pair.isEmpty()) {
                throw new IllegalArgumentException("a parameter must be given as name=value, got '" + pair + "'");
            }
        }
        return values;
    }

    /** All values by name, in the order of the names. */
    @JsonValue
    public SortedMap<String, ParameterValue> values() {
        SortedMap<String, ParameterValue> all = new TreeMap<>();
        for (int i = 0; i < names.length; i++) {
            all.put(names[i], values[i]);
        }
        return Collections.unmodifiableSortedMap(all);
    }

    /** How many parameters have a value. */
    public int size() {
        return names.length;
    }

    public boolean has(String parameter) {
        return index(parameter) >= 0;
    }

    /**
     * The index of the value of a parameter; negative if there is none. A space asks by the very names that a config
     * has.
     */
    private int index(String parameter) {
        for (int index = 0; index < names.length; index++) {
            if (names[index] == parameter) {
                return index;
            }
        }
        return Arrays.binarySearch(names, parameter);
    }

    /**
     * The value of a parameter.
     *
     * @throws IllegalArgumentException if the config has none
     */
    public ParameterValue value(String parameter) {
        int index = index(parameter);
        if (index < 0) {
            throw new IllegalArgumentException("config has no parameter '" + parameter + "': " + canonical());
        }
        return values[index];
    }

    /** The value of a parameter that is a whole number. */
    public int whole(String parameter) {
        return value(parameter).whole(parameter);
    }

    /** The same, where a config may leave the parameter out. */
    public int whole(String parameter, int absent) {
        int index = index(parameter);
        return index < 0 ? absent : values[index].whole(parameter);
    }

    /** The value of a parameter that is a name. */
    public String name(String parameter) {
        return value(parameter).name(parameter);
    }

    /** The same config with one more parameter, or another value for it. */
    public Config with(String parameter, ParameterValue value) {
        int index = index(parameter);
        if (index < 0) {
            SortedMap<String, ParameterValue> more = new TreeMap<>(values());
            more.put(parameter, value);
            return of(more);
        }
        ParameterValue[] changed = values.clone();
        changed[index] = value;
        return new Config(names, changed);
    }

    /**
     * The values of these parameters alone.
     *
     * @throws IllegalArgumentException if the config has none for one of them
     */
    public Config only(Collection<String> parameters) {
        SortedMap<String, ParameterValue> kept = new TreeMap<>();
        parameters.forEach(parameter -> kept.put(parameter, value(parameter)));
        return of(kept);
    }

    /** {@code name=value} pairs in the order of their names, separated by one blank: equal configs, equal text. */
    public String canonical() {
        StringJoiner pairs = new StringJoiner(" ");
        for (int i = 0; i < names.length; i++) {
            pairs.add(names[i] + "=" + values[i]);
        }
        return pairs.toString();
    }

    /** SHA-256 of {@link #canonical()}, in hexadecimal. */
    public String hash() {
        return Sha256.hex(canonical());
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Config that
                && hashCode == that.hashCode
                && Arrays.equals(values, that.values)
                && (names == that.names || Arrays.equals(names, that.names));
    }

    @Override
    public int hashCode() {
        return hashCode;
    }

    @Override
    public String toString() {
        return canonical();
    }
}
