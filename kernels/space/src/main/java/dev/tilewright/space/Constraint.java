package dev.tilewright.space;

import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.Violation;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * A rule that a config must keep, with the reason when it does not.
 *
 * @param id a stable name in lower camel case, such as {@code sharedMemory}
 * @param parameters what the rule looks at; it is asked as soon as all of them have a value
 * @param check empty when the config keeps the rule, otherwise what is wrong with the values, such as {@code "241664
 *     bytes of shared memory are more than 232448"}; it gets these parameters and no other
 */
public record Constraint(String id, List<String> parameters, Function<Config, Optional<String>> check) {

    public Constraint {
        parameters = List.copyOf(parameters);
        if (parameters.isEmpty()) {
            throw new IllegalArgumentException("constraint '" + id + "' looks at no parameter");
        }
    }

    /**
     * The same rule over the parameters that a config has; empty if it has none of them. A parameter that a config
     * leaves out has a value that stands for it, which is for the rule to know.
     */
    Optional<Constraint> over(Config config) {
        List<String> had = parameters.stream().filter(config::has).toList();
        return had.isEmpty() ? Optional.empty() : Optional.of(new Constraint(id, had, check));
    }

    /**
     * The violation of this rule by the config, if any.
     *
     * @throws IllegalArgumentException if the config has no value for a parameter of the rule, or the rule asks for
     *     another
     */
    public Optional<Violation> violation(Config config) {
        Config seen = config.only(parameters.stream().filter(config::has).toList());
        return check.apply(seen).map(reason -> new Violation(id, reason, seen));
    }
}
