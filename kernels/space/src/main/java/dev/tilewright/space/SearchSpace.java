package dev.tilewright.space;

import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import dev.tilewright.model.space.Sha256;
import dev.tilewright.model.space.Violation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Parameters and the constraints between them: what a space means. {@link SpaceTree} counts it, draws from it and walks
 * it.
 *
 * @param family the kernel family whose parameters these are
 * @param parameters in the order in which they are assigned
 * @param constraints what every config keeps, whoever asks for it
 * @param advice what is kept besides where a user leaves the choice to the search
 * @throws IllegalArgumentException if two parameters share a name, or a constraint looks at a parameter that is not
 *     there
 */
public record SearchSpace(
        String family, List<Parameter> parameters, List<Constraint> constraints, List<Advice> advice) {

    public SearchSpace {
        parameters = List.copyOf(parameters);
        constraints = List.copyOf(constraints);
        advice = List.copyOf(advice);
        Set<String> names = new HashSet<>();
        for (Parameter parameter : parameters) {
            if (!names.add(parameter.name())) {
                throw new IllegalArgumentException(
                        "family " + family + " has two parameters '" + parameter.name() + "'");
            }
        }
        Stream.concat(constraints.stream(), advice.stream().map(Advice::rule)).forEach(constraint -> {
            for (String parameter : constraint.parameters()) {
                if (!names.contains(parameter)) {
                    throw new IllegalArgumentException(
                            "constraint '" + constraint.id() + "' looks at unknown parameter '" + parameter + "'");
                }
            }
        });
    }

    /** A space without advice. */
    public SearchSpace(String family, List<Parameter> parameters, List<Constraint> constraints) {
        this(family, parameters, constraints, List.of());
    }

    /**
     * The default space: of the named parameters the values that the user gave, of the others the usual ones, and all
     * advice but that about a parameter that the user named.
     *
     * @throws IllegalArgumentException naming the unknown parameter or value and what is known
     */
    public SearchSpace usual(Map<String, List<ParameterValue>> wanted) {
        SearchSpace restricted = restrict(wanted);
        List<Parameter> fewer = restricted.parameters.stream()
                .map(parameter -> wanted.containsKey(parameter.name()) ? parameter : parameter.of(parameter.usual()))
                .toList();
        List<Constraint> more = Stream.concat(
                        constraints.stream(),
                        advice.stream()
                                .filter(each -> !wanted.containsKey(each.about()))
                                .map(Advice::rule))
                .toList();
        return new SearchSpace(family, fewer, more);
    }

    /**
     * The space with fewer values: for each named parameter only those given, in the given order. A value that the
     * parameter does not list is refused.
     *
     * @throws IllegalArgumentException naming the unknown parameter or value and what is known
     */
    public SearchSpace restrict(Map<String, List<ParameterValue>> values) {
        Map<String, Parameter> byName = new LinkedHashMap<>();
        parameters.forEach(parameter -> byName.put(parameter.name(), parameter));
        values.forEach((name, wanted) -> byName.computeIfPresent(name, (key, known) -> {
            for (ParameterValue value : wanted) {
                if (!known.values().contains(value)) {
                    throw new IllegalArgumentException(
                            "parameter '" + name + "' has no value " + value + "; known: " + known.known());
                }
            }
            return known.of(wanted);
        }));
        for (String name : values.keySet()) {
            if (!byName.containsKey(name)) {
                throw new IllegalArgumentException("family " + family + " has no parameter '" + name + "'; known: "
                        + String.join(", ", byName.keySet()));
            }
        }
        return new SearchSpace(family, List.copyOf(byName.values()), constraints, advice);
    }

    /**
     * The space that has this config alone, if it keeps the rules. A parameter that the config lacks, and need not
     * have, is no parameter of it.
     *
     * @throws IllegalArgumentException naming an unknown parameter or value and what is known, or what is missing
     */
    public SearchSpace only(Config config) {
        Map<String, List<ParameterValue>> values = new LinkedHashMap<>();
        config.values().forEach((name, value) -> values.put(name, List.of(value)));
        SearchSpace one = restrict(values);
        List<String> missing = parameters.stream()
                .filter(parameter ->
                        !config.has(parameter.name()) && parameter.absent().isEmpty())
                .map(Parameter::name)
                .toList();
        if (!missing.isEmpty()) {
            throw new IllegalArgumentException(missing(missing));
        }
        return new SearchSpace(
                family,
                one.parameters.stream()
                        .filter(parameter -> config.has(parameter.name()))
                        .toList(),
                constraints.stream()
                        .flatMap(constraint -> constraint.over(config).stream())
                        .toList());
    }

    private String missing(List<String> names) {
        return "a config of " + family + " has a value for each of its " + parameters.size() + " parameters; missing: "
                + String.join(", ", names);
    }

    /** The first rule that the config breaks, if any; the first of all is that it has a listed value of each name. */
    public Optional<Violation> violation(Config config) {
        List<String> faults = valueFaults(config);
        if (!faults.isEmpty()) {
            return Optional.of(new Violation(Violation.VALUES, String.join("; ", faults), config));
        }
        return broken(config);
    }

    /**
     * The first rule between its parameters that the config breaks, whether or not its values are listed: a kernel that
     * was found for other rows has values that nobody tries for these.
     */
    public Optional<Violation> broken(Config config) {
        return constraints.stream()
                .map(constraint -> constraint.violation(config))
                .flatMap(Optional::stream)
                .findFirst();
    }

    /**
     * The config with a value for each parameter that it lacks and that has one value here, such as the epilogue, or
     * one of which a config that does not have it has one.
     */
    public Config completed(Config config) {
        Config all = config;
        for (Parameter parameter : parameters) {
            if (config.has(parameter.name())) {
                continue;
            }
            if (parameter.values().size() == 1) {
                all = all.with(parameter.name(), parameter.values().getFirst());
            } else if (parameter.absent().isPresent()) {
                all = all.with(parameter.name(), parameter.absent().get());
            }
        }
        return all;
    }

    private List<String> valueFaults(Config config) {
        List<String> faults = new ArrayList<>();
        List<String> missing = new ArrayList<>();
        for (Parameter parameter : parameters) {
            String name = parameter.name();
            if (!config.has(name)) {
                if (parameter.absent().isEmpty()) {
                    missing.add(name);
                }
            } else if (!parameter.values().contains(config.value(name))) {
                faults.add(name + " must be one of " + parameter.known() + ", got " + config.value(name));
            }
        }
        if (!missing.isEmpty()) {
            faults.add(missing(missing));
        }
        List<String> unknown = config.values().keySet().stream()
                .filter(name -> parameters.stream()
                        .noneMatch(parameter -> parameter.name().equals(name)))
                .toList();
        if (!unknown.isEmpty()) {
            faults.add("parameters that " + family + " does not have: " + String.join(", ", unknown));
        }
        return faults;
    }

    /**
     * Whether no config keeps all rules. One config is looked for first: a tree is built only where that is not enough.
     */
    public boolean isEmpty() {
        return switch (new ConfigSearch(this).look()) {
            case A_CONFIG -> false;
            case NO_CONFIG -> true;
            case GAVE_UP -> SpaceTree.of(this).isEmpty();
        };
    }

    /** Number of all combinations, whether or not they keep the rules. */
    public long points() {
        return parameters.stream()
                .mapToLong(parameter -> parameter.values().size())
                .reduce(1, Math::multiplyExact);
    }

    /** The combination with this number, counted with the last parameter fastest; it may break rules. */
    public Config point(long index) {
        Map<String, ParameterValue> values = new TreeMap<>();
        long rest = index;
        for (Parameter parameter : parameters.reversed()) {
            int count = parameter.values().size();
            values.put(parameter.name(), parameter.values().get((int) (rest % count)));
            rest /= count;
        }
        return Config.of(values);
    }

    /**
     * SHA-256 over family, parameters, values and the ids of the rules: two builds that mean different spaces have
     * different hashes.
     */
    public String hash() {
        List<String> lines = new ArrayList<>(List.of(family));
        parameters.forEach(parameter -> lines.add(parameter.name() + parameter.kind() + parameter.values()));
        constraints.forEach(constraint -> lines.add(constraint.id() + constraint.parameters()));
        return Sha256.hex(String.join("\n", lines));
    }

    /** Names of the parameters of one kind, in order. */
    public List<String> names(Parameter.Kind... kinds) {
        List<Parameter.Kind> wanted = Arrays.asList(kinds);
        return parameters.stream()
                .filter(parameter -> wanted.contains(parameter.kind()))
                .map(Parameter::name)
                .toList();
    }
}
