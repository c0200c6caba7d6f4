package dev.tilewright.space.parameter;

import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import dev.tilewright.space.Parameter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A parameter of a family by type: its name, and the values that a config may have for it.
 *
 * @param name the same in {@code --set}, JSON, Postgres and pages
 * @param reads the typed form of a value; refuses a value that has none
 * @param writes the value of a typed form
 * @param absent the value of a config that does not have the parameter; empty where each config must have it
 * @param <T> a whole number, or an enum whose constants write themselves as the names of values
 */
public record Key<T>(
        String name, Function<ParameterValue, T> reads, Function<T, ParameterValue> writes, Optional<T> absent) {

    /** A whole number that each config has. */
    public static Key<Integer> whole(String name) {
        return new Key<>(name, value -> value.whole(name), ParameterValue::of, Optional.empty());
    }

    /** A name that each config has. */
    public static <E extends Enum<E>> Key<E> named(String name, List<E> known) {
        Map<String, E> byText = known.stream().collect(Collectors.toMap(E::toString, constant -> constant));
        return new Key<>(
                name,
                value -> named(name, known, byText.get(value.name(name)), value),
                constant -> ParameterValue.of(constant.toString()),
                Optional.empty());
    }

    /** A name that each config has: that of any constant. */
    public static <E extends Enum<E>> Key<E> named(String name, Class<E> known) {
        return named(name, List.of(known.getEnumConstants()));
    }

    /** The same, of a parameter that a config need not have. */
    public Key<T> or(T value) {
        return new Key<>(name, reads, writes, Optional.of(value));
    }

    private static <E extends Enum<E>> E named(String name, List<E> known, @Nullable E constant, ParameterValue given) {
        if (constant == null) {
            throw new IllegalArgumentException(name + " must be one of " + known + ", got '" + given.name(name) + "'");
        }
        return constant;
    }

    /**
     * The value of a config.
     *
     * @throws IllegalArgumentException naming the parameter, and the value and the rule if it has one
     */
    public T of(Config config) {
        return absent.isPresent() && !config.has(name) ? absent.get() : reads.apply(config.value(name));
    }

    /** The same config with this value. */
    public Config in(Config config, T value) {
        return config.with(name, writes.apply(value));
    }

    /** The values of these parameters alone, each said. */
    public static Config only(Collection<Key<?>> keys, Config config) {
        Map<String, ParameterValue> values = new TreeMap<>();
        keys.forEach(key -> values.put(key.name, key.said(config)));
        return Config.of(values);
    }

    private ParameterValue said(Config config) {
        return writes.apply(of(config));
    }

    /** An axis of a space whose values change the text. */
    @SafeVarargs
    public final Parameter text(T... values) {
        List<T> all = new ArrayList<>();
        for (T value : values) {
            all.add(value);
        }
        return text(all);
    }

    /** The same. A config need not have it where the value that its absence means is one of these. */
    public Parameter text(List<T> values) {
        Parameter parameter = new Parameter(
                name, Parameter.Kind.TEXT, values.stream().map(writes).toList());
        return absent.filter(values::contains)
                .map(value -> parameter.or(writes.apply(value)))
                .orElse(parameter);
    }

    /** An axis with the value alone that its absence means; empty where each config must have it. */
    public Optional<Parameter> unsaid(Parameter.Kind kind) {
        return absent.map(writes).map(value -> new Parameter(name, kind, List.of(value)).or(value));
    }

    /** Names of parameters. */
    public static List<String> names(Key<?>... keys) {
        return Arrays.stream(keys).map(Key::name).toList();
    }
}
