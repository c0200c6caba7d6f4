package dev.tilewright.launch.expression;

import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** What names stand for. */
public record Scope(SortedMap<String, Value> values) {
    public Scope {
        values = new TreeMap<>(values);
    }

    public Scope(Map<String, Value> values) {
        this(new TreeMap<>(values));
    }

    /** The value of a name. */
    public Optional<Value> find(String name) {
        return Optional.ofNullable(values.get(name));
    }

    /** The same with one name more. */
    public Scope with(String name, Value value) {
        SortedMap<String, Value> more = new TreeMap<>(values);
        more.put(name, value);
        return new Scope(more);
    }
}
