package dev.tilewright.space.gemm;

import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import dev.tilewright.space.Parameter;
import dev.tilewright.space.SpaceTree;
import java.util.List;
import java.util.Optional;

/**
 * Chooses the anchor of a space by wishes: one after the other is granted if a config is left, and dropped if not. A
 * parameter that nobody wishes anything of has the earliest value that goes with them, so a space may get new
 * parameters and keep its anchor.
 */
public final class AnchorChoice {

    private AnchorChoice() {}

    /** The wish that a parameter has a value. */
    public record Wish(String parameter, ParameterValue value) {

        public static Wish of(String parameter, int value) {
            return new Wish(parameter, ParameterValue.of(value));
        }

        public static Wish of(String parameter, String value) {
            return new Wish(parameter, ParameterValue.of(value));
        }
    }

    /** The config that grants the wishes, the first before the next; empty if the space is empty. */
    public static Optional<Config> first(SpaceTree space, List<Wish> wishes) {
        SpaceTree left = space;
        for (Wish wish : wishes) {
            if (isKnown(left, wish)) {
                SpaceTree narrower = left.only(wish.parameter(), wish.value());
                left = narrower.isEmpty() ? left : narrower;
            }
        }
        return left.representatives(List.of()).stream().findFirst();
    }

    private static boolean isKnown(SpaceTree space, Wish wish) {
        return space.order().stream()
                .filter(parameter -> parameter.name().equals(wish.parameter()))
                .map(Parameter::values)
                .anyMatch(values -> values.contains(wish.value()));
    }
}
