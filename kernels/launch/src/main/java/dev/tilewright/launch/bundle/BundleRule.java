package dev.tilewright.launch.bundle;

import dev.tilewright.launch.expression.Bindings;
import dev.tilewright.launch.expression.Expression;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Something that must hold.
 *
 * @param id what it is known by
 * @param because why, for people; empty where the rule says enough
 */
public record BundleRule(String id, Expression that, Optional<String> because) {

    /** Why it does not hold, with the values that it looks at; empty if it does. */
    Optional<String> broken(Bindings scope) {
        if (that.truth(scope)) {
            return Optional.empty();
        }
        String values = that.names().stream()
                .map(name -> name + "=" + scope.find(name).orElseThrow())
                .collect(Collectors.joining(" "));
        return Optional.of(that + " does not hold" + (values.isEmpty() ? "" : " for " + values)
                + because.map(reason -> ": " + reason).orElse(""));
    }
}
