package dev.tilewright.launch.bundle;

import dev.tilewright.launch.expression.ExpressionException;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.space.Config;
import java.util.List;
import java.util.Optional;

/**
 * A rule that the configs of a bundle keep.
 *
 * @param parameters what it looks at, at least one
 */
public record BundleConstraint(BundleRule rule, List<String> parameters, Definitions definitions) {
    public BundleConstraint {
        parameters = List.copyOf(parameters);
    }

    /** Stable name, in lower camel case. */
    public String id() {
        return rule.id();
    }

    /**
     * Why a config does not keep it; empty if it does.
     *
     * @param sms of the GPU
     * @param config with a value for each of {@link #parameters} at least
     */
    public Optional<String> broken(Problem problem, int sms, Config config) {
        try {
            return rule.broken(definitions.scope(problem, sms, config));
        } catch (ExpressionException wrong) {
            throw new BundleException(
                    BundleFiles.DESCRIPTION + ": constraint " + rule.id() + ": " + wrong.getMessage(), wrong);
        }
    }
}
