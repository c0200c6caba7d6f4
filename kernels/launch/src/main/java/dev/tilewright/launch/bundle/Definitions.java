package dev.tilewright.launch.bundle;

import dev.tilewright.launch.expression.Bindings;
import dev.tilewright.launch.expression.Expression;
import dev.tilewright.launch.expression.ExpressionException;
import dev.tilewright.launch.expression.Value;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import java.util.Map;
import java.util.SequencedMap;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Names that a bundle gives to expressions.
 *
 * @param byName each looks at those before it
 */
record Definitions(SequencedMap<String, Expression> byName) {

    /** The name of the number of SMs. */
    static final String SMS = "sms";

    /** The values of all names that follow from a problem, a GPU and a config, or a part of a config. */
    Bindings scope(Problem problem, int sms, Config config) {
        Bindings scope = new Bindings(BundleProblem.numbers(problem)).with(SMS, new Value.Whole(sms));
        return extended(scope, config);
    }

    /** The same where only the config is known. */
    Bindings scope(Config config) {
        return extended(new Bindings(Map.of()), config);
    }

    private Bindings extended(Bindings base, Config config) {
        SortedMap<String, Value> values = new TreeMap<>(base.values());
        config.values()
                .forEach((name, given) -> values.put(
                        name,
                        switch (given) {
                            case ParameterValue.Whole(int value) -> new Value.Whole(value);
                            case ParameterValue.Name(String value) -> new Value.Word(value);
                        }));
        Bindings scope = new Bindings(values);
        for (Map.Entry<String, Expression> definition : byName.entrySet()) {
            // Without a problem or a parameter some names have no value; who asks for one is told so.
            if (scope.values().keySet().containsAll(definition.getValue().names())) {
                try {
                    scope = scope.with(
                            definition.getKey(), definition.getValue().value(scope));
                } catch (ExpressionException wrong) {
                    throw new BundleException(
                            BundleFiles.DESCRIPTION + ": let." + definition.getKey() + ": " + wrong.getMessage(),
                            wrong);
                }
            }
        }
        return scope;
    }

    /** All names that an expression looks at, also by names that are defined here. */
    Set<String> behind(Expression expression) {
        Set<String> names = new TreeSet<>(expression.names());
        byName.reversed().forEach((name, definition) -> {
            if (names.contains(name)) {
                names.addAll(definition.names());
            }
        });
        return names;
    }
}
