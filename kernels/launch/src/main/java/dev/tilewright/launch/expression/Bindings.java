package dev.tilewright.launch.expression;

import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** The values of names. */
public record Bindings(SortedMap<String, Value> values) {
    public Bindings {
        values = new TreeMap<>(values);
    }

    public Bindings(Map<String, Value> values) {
        this(new TreeMap<>(values));
    }

    /** The value of a name. */
    public Optional<Value> find(String name) {
        return Optional.ofNullable(values.get(name));
    }

    /** The same with one name more. */
    public Bindings with(String name, Value value) {
        SortedMap<String, Value> more = new TreeMap<>(values);
        more.put(name, value);
        return new Bindings(more);
    }
}
