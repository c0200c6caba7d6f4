package dev.tilewright.model.space;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * Depth-first walk over a space, one parameter a level; a subtree is left as soon as a rule is broken.
 *
 * <p>Counting does not walk what it has counted before: what lies below a node depends only on those of its values that
 * a rule further down looks at, so nodes that agree in them share one count.
 */
final class SpaceWalk {

    private final List<Parameter> parameters;
    /** The rules whose last parameter is the one of the level. */
    private final List<List<Constraint>> decidedAt = new ArrayList<>();
    /** Names of the parameters above the level that a rule decided at the level or below looks at. */
    private final List<List<String>> liveAt = new ArrayList<>();
    /** Number of combinations below a node of the level. */
    private final long[] below;

    SpaceWalk(SearchSpace space) {
        parameters = space.parameters();
        below = new long[parameters.size() + 1];
        below[parameters.size()] = 1;
        for (int level = parameters.size() - 1; level >= 0; level--) {
            below[level] = Math.multiplyExact(
                    below[level + 1], parameters.get(level).values().size());
        }
        List<String> assigned = new ArrayList<>();
        Set<Constraint> open = new LinkedHashSet<>(space.constraints());
        for (Parameter parameter : parameters) {
            Set<String> awaited = new HashSet<>();
            open.forEach(constraint -> awaited.addAll(constraint.parameters()));
            liveAt.add(assigned.stream().filter(awaited::contains).toList());
            assigned.add(parameter.name());
            List<Constraint> decided = open.stream()
                    .filter(constraint -> assigned.containsAll(constraint.parameters()))
                    .toList();
            decided.forEach(open::remove);
            decidedAt.add(decided);
        }
    }

    Stream<Config> configs() {
        return configs(0, Config.of(Map.of()));
    }

    Stream<Config> configsAfter(Config last) {
        int[] path = new int[parameters.size()];
        for (int level = 0; level < path.length; level++) {
            Parameter parameter = parameters.get(level);
            path[level] = parameter.values().indexOf(last.value(parameter.name()));
            if (path[level] < 0) {
                throw new IllegalArgumentException("parameter '" + parameter.name() + "' has no value "
                        + last.value(parameter.name()) + "; known: " + parameter.values());
            }
        }
        return configsAfter(path, 0, Config.of(Map.of()));
    }

    /**
     * What follows the path below a node that lies on it: first the rest of its child on the path, then its later
     * children.
     */
    private Stream<Config> configsAfter(int[] path, int level, Config assigned) {
        if (level == parameters.size()) {
            return Stream.empty();
        }
        Parameter parameter = parameters.get(level);
        return Stream.iterate(path[level], index -> index < parameter.values().size(), index -> index + 1)
                .flatMap(index -> {
                    Config config =
                            assigned.with(parameter.name(), parameter.values().get(index));
                    if (firstViolation(level, config).isPresent()) {
                        return Stream.empty();
                    }
                    return index == path[level] ? configsAfter(path, level + 1, config) : configs(level + 1, config);
                });
    }

    private Stream<Config> configs(int level, Config assigned) {
        if (level == parameters.size()) {
            return Stream.of(assigned);
        }
        Parameter parameter = parameters.get(level);
        return parameter.values().stream()
                .map(value -> assigned.with(parameter.name(), value))
                .filter(config -> firstViolation(level, config).isEmpty())
                .flatMap(config -> configs(level + 1, config));
    }

    /** One combination, drawn level by level; nothing if it breaks a rule. */
    Optional<Config> draw(RandomGenerator random) {
        Map<String, ParameterValue> assigned = new HashMap<>();
        for (int level = 0; level < parameters.size(); level++) {
            List<ParameterValue> values = parameters.get(level).values();
            assigned.put(parameters.get(level).name(), values.get(random.nextInt(values.size())));
            for (Constraint constraint : decidedAt.get(level)) {
                // A config of all that is assigned would cost more than the rule.
                Map<String, ParameterValue> seen = new HashMap<>();
                constraint.parameters().forEach(parameter -> seen.put(parameter, assigned.get(parameter)));
                if (constraint.violation(Config.of(seen)).isPresent()) {
                    return Optional.empty();
                }
            }
        }
        return Optional.of(Config.of(assigned));
    }

    private Optional<Violation> firstViolation(int level, Config config) {
        for (Constraint constraint : decidedAt.get(level)) {
            Optional<Violation> violation = constraint.violation(config);
            if (violation.isPresent()) {
                return violation;
            }
        }
        return Optional.empty();
    }

    SpaceSummary summary() {
        SortedMap<String, Violation> examples = new TreeMap<>();
        List<Map<List<ParameterValue>, Count>> known = new ArrayList<>();
        parameters.forEach(parameter -> known.add(new HashMap<>()));
        Count count = count(0, Config.of(Map.of()), known, examples);
        return new SpaceSummary(
                below[0],
                count.size(),
                Collections.unmodifiableSortedMap(new TreeMap<>(count.prunedBy())),
                Collections.unmodifiableSortedMap(examples));
    }

    /** What lies below a node: configs that keep every rule, and combinations that each rule took away. */
    private record Count(long size, Map<String, Long> prunedBy) {}

    /** The nodes counted so far give their count again; their rules already have an example. */
    private Count count(
            int level,
            Config assigned,
            List<Map<List<ParameterValue>, Count>> known,
            SortedMap<String, Violation> examples) {
        if (level == parameters.size()) {
            return new Count(1, Map.of());
        }
        List<ParameterValue> live =
                liveAt.get(level).stream().map(assigned::value).toList();
        Count before = known.get(level).get(live);
        if (before != null) {
            return before;
        }
        Parameter parameter = parameters.get(level);
        long size = 0;
        Map<String, Long> prunedBy = new HashMap<>();
        for (ParameterValue value : parameter.values()) {
            Config config = assigned.with(parameter.name(), value);
            Optional<Violation> broken = firstViolation(level, config);
            if (broken.isPresent()) {
                prunedBy.merge(broken.get().constraint(), below[level + 1], Long::sum);
                examples.putIfAbsent(broken.get().constraint(), broken.get());
            } else {
                Count child = count(level + 1, config, known, examples);
                size += child.size();
                child.prunedBy().forEach((rule, pruned) -> prunedBy.merge(rule, pruned, Long::sum));
            }
        }
        Count count = new Count(size, Map.copyOf(prunedBy));
        known.get(level).put(live, count);
        return count;
    }
}
