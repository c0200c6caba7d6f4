package dev.tilewright.model.space;

import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Depth-first walk over a space, one parameter a level; a subtree is left as soon as a rule is broken.
 *
 * <p>Counting does not walk what it has counted before: what lies below a node depends only on those of its values that
 * a rule further down looks at, so nodes that agree in them share one count.
 */
final class SpaceWalk {

    private final List<Parameter> parameters;
    private final List<Rules.Rule> rules;
    /** Indices of the rules whose last parameter is the one of the level. */
    private final int[][] decidedAt;
    /** Number of combinations below a node of the level. */
    private final long[] below;

    SpaceWalk(SearchSpace space) {
        parameters = space.parameters();
        rules = new Rules(space).all();
        int levels = parameters.size();
        below = new long[levels + 1];
        below[levels] = 1;
        for (int level = levels - 1; level >= 0; level--) {
            below[level] = Math.multiplyExact(
                    below[level + 1], parameters.get(level).values().size());
        }
        decidedAt = new int[levels][];
        for (int at = 0; at < levels; at++) {
            int level = at;
            decidedAt[at] = IntStream.range(0, rules.size())
                    .filter(rule -> rules.get(rule).decidedAt() == level)
                    .toArray();
        }
    }

    /** Levels above a level that a rule decided there or below looks at. */
    private int[] liveAt(int level) {
        return IntStream.range(0, level)
                .filter(above -> rules.stream().anyMatch(rule -> rule.decidedAt() >= level && rule.looksAt(above)))
                .toArray();
    }

    Stream<Config> configs() {
        return configs(0, new int[parameters.size()]);
    }

    private Stream<Config> configs(int level, int[] path) {
        if (level == parameters.size()) {
            return Stream.of(config(path));
        }
        return IntStream.range(0, parameters.get(level).values().size())
                .mapToObj(index -> with(path, level, index))
                .filter(next -> firstBroken(level, next) < 0)
                .flatMap(next -> configs(level + 1, next));
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
        return configsAfter(path, 0);
    }

    /**
     * What follows the path below its node of a level: first the rest of its child on the path, then its later
     * children.
     */
    private Stream<Config> configsAfter(int[] path, int level) {
        if (level == parameters.size()) {
            return Stream.empty();
        }
        return IntStream.range(path[level], parameters.get(level).values().size())
                .boxed()
                .flatMap(index -> {
                    int[] next = with(path, level, index);
                    if (firstBroken(level, next) >= 0) {
                        return Stream.empty();
                    }
                    return index == path[level] ? configsAfter(next, level + 1) : configs(level + 1, next);
                });
    }

    private static int[] with(int[] path, int level, int index) {
        int[] next = path.clone();
        next[level] = index;
        return next;
    }

    private Config config(int[] path) {
        Map<String, ParameterValue> values = new HashMap<>();
        for (int level = 0; level < path.length; level++) {
            values.put(
                    parameters.get(level).name(), parameters.get(level).values().get(path[level]));
        }
        return Config.of(values);
    }

    /** One combination, drawn level by level; nothing if it breaks a rule. */
    Optional<Config> draw(RandomGenerator random) {
        int[] path = new int[parameters.size()];
        for (int level = 0; level < path.length; level++) {
            path[level] = random.nextInt(parameters.get(level).values().size());
            if (firstBroken(level, path) >= 0) {
                return Optional.empty();
            }
        }
        return Optional.of(config(path));
    }

    /** The first rule decided at a level that the path breaks, or -1. */
    private int firstBroken(int level, int[] path) {
        for (int rule : decidedAt[level]) {
            if (rules.get(rule).isBroken(path)) {
                return rule;
            }
        }
        return -1;
    }

    SpaceSummary summary() {
        SortedMap<String, Violation> examples = new TreeMap<>();
        List<Counted> counted = IntStream.range(0, parameters.size())
                .mapToObj(level -> new Counted(liveAt(level), new HashMap<>()))
                .toList();
        Count count = count(0, new int[parameters.size()], counted, examples);
        SortedMap<String, Long> prunedBy = new TreeMap<>();
        for (int rule = 0; rule < rules.size(); rule++) {
            if (count.pruned[rule] > 0) {
                prunedBy.merge(rules.get(rule).id(), count.pruned[rule], Long::sum);
            }
        }
        return new SpaceSummary(
                below[0],
                count.size,
                Collections.unmodifiableSortedMap(prunedBy),
                Collections.unmodifiableSortedMap(examples));
    }

    /** What lies below a node: configs that keep every rule, and combinations that each rule took away. */
    private static final class Count {
        private final long[] pruned;
        private long size;

        private Count(int rules) {
            pruned = new long[rules];
        }

        private void add(Count child) {
            size += child.size;
            for (int rule = 0; rule < pruned.length; rule++) {
                pruned[rule] += child.pruned[rule];
            }
        }
    }

    /**
     * The nodes of a level that were counted.
     *
     * @param live levels above that matter below
     * @param counts by the values there
     */
    private record Counted(int[] live, Map<Long, Count> counts) {
        private long key(int[] path, List<Parameter> parameters) {
            long key = 0;
            for (int above : live) {
                key = key * parameters.get(above).values().size() + path[above];
            }
            return key;
        }
    }

    /** The nodes counted so far give their count again; their rules already have an example. */
    private Count count(int level, int[] path, List<Counted> counted, SortedMap<String, Violation> examples) {
        Count count = new Count(rules.size());
        if (level == parameters.size()) {
            count.size = 1;
            return count;
        }
        long key = counted.get(level).key(path, parameters);
        Count before = counted.get(level).counts.get(key);
        if (before != null) {
            return before;
        }
        for (int index = 0; index < parameters.get(level).values().size(); index++) {
            path[level] = index;
            int broken = firstBroken(level, path);
            if (broken < 0) {
                count.add(count(level + 1, path, counted, examples));
            } else {
                count.pruned[broken] += below[level + 1];
                examples.computeIfAbsent(
                        rules.get(broken).id(),
                        id -> rules.get(broken).violation(path).orElseThrow());
            }
        }
        counted.get(level).counts.put(key, count);
        return count;
    }
}
