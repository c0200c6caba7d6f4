package dev.tilewright.space.gemm;

import dev.tilewright.model.space.Config;
import dev.tilewright.space.Constraint;
import dev.tilewright.space.parameter.Key;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * A rule of a family on its parameters by type. What breaks a rule of this kind cannot be built: the constructor of the
 * typed config runs it, and the space lists it as a constraint.
 *
 * @param <V> the parameters by type: a typed config has all of them, and a config that a rule is asked about those of
 *     the rule
 * @param id a stable name in lower camel case
 * @param parameters what it looks at, beside the types and layouts of the problem
 * @param check empty if the values keep the rule, otherwise the rule and the value that breaks it
 */
public record TypedRule<V>(String id, List<String> parameters, Function<V, Optional<String>> check) {

    public TypedRule {
        parameters = List.copyOf(parameters);
    }

    public static <V> TypedRule<V> typed(String id, Function<V, Optional<String>> check, Key<?>... parameters) {
        return new TypedRule<>(id, Key.names(parameters), check);
    }

    /** The same as a constraint of a space, whose configs are read so. */
    public Constraint on(Function<Config, ? extends V> reading) {
        return new Constraint(id, parameters, config -> check.apply(reading.apply(config)));
    }

    /** @throws IllegalArgumentException naming the first rule that the values break, and the value */
    public static <V> void require(List<TypedRule<V>> rules, V values) {
        for (TypedRule<V> rule : rules) {
            Optional<String> broken = rule.check.apply(values);
            if (broken.isPresent()) {
                throw new IllegalArgumentException(broken.get());
            }
        }
    }
}
