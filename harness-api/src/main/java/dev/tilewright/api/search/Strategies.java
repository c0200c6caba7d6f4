package dev.tilewright.api.search;

import java.util.Comparator;
import java.util.List;

/**
 * The search strategies, by name.
 *
 * @param all in the order of their names, in which they are listed to users
 */
public record Strategies(List<SearchStrategy> all) {

    public Strategies {
        all = all.stream().sorted(Comparator.comparing(SearchStrategy::name)).toList();
    }

    /** Names in order. */
    public List<String> names() {
        return all.stream().map(SearchStrategy::name).toList();
    }

    /**
     * The strategy with this name.
     *
     * @throws IllegalArgumentException naming it and listing the known ones
     */
    public SearchStrategy named(String name) {
        return all.stream()
                .filter(strategy -> strategy.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "unknown search strategy '" + name + "'; known: " + String.join(", ", names())));
    }
}
