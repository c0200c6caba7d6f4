package dev.tilewright.api.search;

import java.util.List;

/**
 * The search strategies, by name.
 *
 * @param all in the order in which they are listed to users
 */
public record Strategies(List<SearchStrategy> all) {

    public Strategies {
        all = List.copyOf(all);
    }

    /** The strategies of Tilewright. */
    public static Strategies standard() {
        return new Strategies(List.of(new ExhaustiveStrategy(), new ModelStrategy(), new RandomStrategy()));
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
