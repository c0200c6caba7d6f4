package dev.tilewright.space.family;

import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.Violation;
import dev.tilewright.space.Parameter;
import dev.tilewright.space.SearchSpace;
import dev.tilewright.space.device.DeviceLimits;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The space of a problem for a config that somebody names. Whether a config is a kernel of the problem is another
 * question than whether a search lists it: a kernel that was found for another shape may have values that nobody tries
 * for this one.
 *
 * @param family the kernel family
 * @param searched what a search lists
 * @param kernels what can be asked for
 */
public record AskedSpace(FamilySpace family, SearchSpace searched, SearchSpace kernels) {

    /** The space of a problem that the family computes. */
    public static AskedSpace of(FamilySpace family, Problem problem, DeviceLimits limits) {
        return new AskedSpace(family, family.space(problem, limits), family.kernels(problem, limits));
    }

    /** The value or the rule by which the config is no kernel of the problem; empty if it is one. */
    public Optional<Violation> violation(Config config) {
        return kernels.violation(config);
    }

    /** The values that no search tries for the problem, and those that it tries; empty if all of a kernel are tried. */
    public Optional<String> untried(Config kernel) {
        return searched.violation(kernel)
                .filter(violation -> violation.constraint().equals(Violation.VALUES))
                .map(Violation::reason);
    }

    /** The config that a text means, as {@link FamilySpace#read} reads it, under the name that a search gives it. */
    public Config read(String text) {
        return named(family.read(searched, text));
    }

    /**
     * The config as a search names it: without a parameter that the searched space lacks, where its value is the one
     * that its absence means.
     */
    public Config named(Config config) {
        Map<String, Parameter> listed = byName(searched);
        Map<String, Parameter> known = byName(kernels);
        return config.only(config.values().keySet().stream()
                .filter(name -> listed.containsKey(name)
                        || !known.containsKey(name)
                        || !known.get(name).absent().equals(Optional.of(config.value(name))))
                .toList());
    }

    /**
     * The space that has this kernel alone, if it keeps the rules.
     *
     * @throws IllegalArgumentException naming an unknown parameter or value and what is known, or what is missing
     */
    public SearchSpace only(Config config) {
        return kernels.only(config);
    }

    private static Map<String, Parameter> byName(SearchSpace space) {
        return space.parameters().stream().collect(Collectors.toMap(Parameter::name, Function.identity()));
    }
}
