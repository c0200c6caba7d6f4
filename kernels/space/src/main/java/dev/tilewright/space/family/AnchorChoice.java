package dev.tilewright.space.family;

import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import dev.tilewright.space.Parameter;
import dev.tilewright.space.SearchSpace;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Chooses the anchor of a space by wishes: one after the other is granted if a config is left, and dropped if not. A
 * parameter that nobody wishes anything of has its first value, so a space may get new parameters and keep its anchor.
 */
final class AnchorChoice {

    private AnchorChoice() {}

    /** That a parameter has a value. */
    record Wish(String parameter, ParameterValue value) {

        static Wish of(String parameter, int value) {
            return new Wish(parameter, ParameterValue.of(value));
        }

        static Wish of(String parameter, String value) {
            return new Wish(parameter, ParameterValue.of(value));
        }
    }

    /** The config that grants the wishes, the first before the next; empty if the space is empty. */
    static Optional<Config> first(SearchSpace space, List<Wish> wishes) {
        Optional<Config> best = space.configs().findFirst();
        SearchSpace left = space;
        for (Wish wish : wishes) {
            if (best.isEmpty() || !isKnown(left, wish)) {
                continue;
            }
            SearchSpace narrower = left.restrict(Map.of(wish.parameter(), List.of(wish.value())));
            Optional<Config> granted = narrower.configs().findFirst();
            if (granted.isPresent()) {
                best = granted;
                left = narrower;
            }
        }
        return best;
    }

    private static boolean isKnown(SearchSpace space, Wish wish) {
        return space.parameters().stream()
                .filter(parameter -> parameter.name().equals(wish.parameter()))
                .map(Parameter::values)
                .anyMatch(values -> values.contains(wish.value()));
    }
}
