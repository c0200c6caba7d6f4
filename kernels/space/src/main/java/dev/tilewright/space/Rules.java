package dev.tilewright.space;

import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import dev.tilewright.model.space.Violation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * The rules of a space, ready to be asked often: each is asked once for each combination of the values that it looks
 * at. A combination of the space is a path, the index of the value of each parameter.
 */
final class Rules {

    /** Combinations of one rule whose answers are remembered, at the most. */
    private static final long MOST_REMEMBERED = 1 << 22;

    /** A rule, with the answers it has given. */
    static final class Rule {
        private static final byte KEPT = 1;
        private static final byte BROKEN = 2;

        private final Constraint constraint;
        private final List<Parameter> parameters;
        private final int[] levels;
        /** By combination; 0 where it was not asked, and no element where there are too many. */
        private final byte[] answers;
        /** The level at which all that it looks at has a value. */
        private final int decidedAt;

        private Rule(Constraint constraint, List<Parameter> all) {
            this.constraint = constraint;
            levels = constraint.parameters().stream()
                    .mapToInt(name -> level(name, all))
                    .toArray();
            decidedAt = Arrays.stream(levels).max().orElseThrow();
            parameters = Arrays.stream(levels).mapToObj(all::get).toList();
            long combinations = parameters.stream()
                    .mapToLong(parameter -> parameter.values().size())
                    .reduce(1, Math::multiplyExact);
            answers = new byte[combinations > MOST_REMEMBERED ? 0 : (int) combinations];
        }

        private static int level(String name, List<Parameter> all) {
            for (int level = 0; level < all.size(); level++) {
                if (all.get(level).name().equals(name)) {
                    return level;
                }
            }
            throw new IllegalArgumentException("no parameter '" + name + "'");
        }

        String id() {
            return constraint.id();
        }

        int decidedAt() {
            return decidedAt;
        }

        boolean looksAt(int level) {
            return Arrays.stream(levels).anyMatch(own -> own == level);
        }

        /** Whether a path breaks it; as many threads as like to may ask. */
        boolean isBroken(int[] path) {
            if (answers.length == 0) {
                return violation(path).isPresent();
            }
            int combination = 0;
            for (int i = 0; i < levels.length; i++) {
                combination = combination * parameters.get(i).values().size() + path[levels[i]];
            }
            byte answer = answers[combination];
            if (answer == 0) {
                // Two threads that ask at once get the same answer.
                answer = violation(path).isPresent() ? BROKEN : KEPT;
                answers[combination] = answer;
            }
            return answer == BROKEN;
        }

        Optional<Violation> violation(int[] path) {
            TreeMap<String, ParameterValue> seen = new TreeMap<>();
            for (int i = 0; i < levels.length; i++) {
                Parameter parameter = parameters.get(i);
                seen.put(parameter.name(), parameter.values().get(path[levels[i]]));
            }
            return constraint.violation(Config.of(seen));
        }
    }

    private final List<Parameter> parameters;
    private final List<Map<ParameterValue, Integer>> indices = new ArrayList<>();
    private final List<Rule> all;
    /** By level, the indices of the rules whose last parameter it is. */
    private final int[][] decidedAt;
    /** Levels in the order of the names of their parameters. */
    private final int[] sorted;
    /** These names, which the configs of all paths share. */
    private final String[] names;

    /** Nothing has been asked yet. */
    Rules(SearchSpace space) {
        parameters = space.parameters();
        for (Parameter parameter : parameters) {
            Map<ParameterValue, Integer> index = new HashMap<>();
            parameter.values().forEach(value -> index.put(value, index.size()));
            indices.add(index);
        }
        all = space.constraints().stream()
                .map(constraint -> new Rule(constraint, parameters))
                .toList();
        decidedAt = IntStream.range(0, parameters.size())
                .mapToObj(level -> IntStream.range(0, all.size())
                        .filter(rule -> all.get(rule).decidedAt() == level)
                        .toArray())
                .toArray(int[][]::new);
        sorted = IntStream.range(0, parameters.size())
                .boxed()
                .sorted(Comparator.comparing(level -> parameters.get(level).name()))
                .mapToInt(Integer::intValue)
                .toArray();
        names = Arrays.stream(sorted)
                .mapToObj(level -> parameters.get(level).name())
                .toArray(String[]::new);
    }

    List<Rule> all() {
        return all;
    }

    /** The config of a path. */
    Config config(int[] path) {
        ParameterValue[] values = new ParameterValue[path.length];
        for (int i = 0; i < values.length; i++) {
            int level = sorted[i];
            values[i] = parameters.get(level).values().get(path[level]);
        }
        return Config.ofSorted(names, values);
    }

    /** The first rule decided at a level that the path breaks, or -1. */
    int firstBroken(int level, int[] path) {
        for (int rule : decidedAt[level]) {
            if (all.get(rule).isBroken(path)) {
                return rule;
            }
        }
        return -1;
    }

    /** Whether a config is one of the space: has a listed value of each parameter, none else, and keeps every rule. */
    boolean allow(Config config) {
        if (config.size() != parameters.size()) {
            return false;
        }
        int[] path = new int[parameters.size()];
        for (int level = 0; level < path.length; level++) {
            String name = parameters.get(level).name();
            Integer index = config.has(name) ? indices.get(level).get(config.value(name)) : null;
            if (index == null) {
                return false;
            }
            path[level] = index;
        }
        return all.stream().noneMatch(rule -> rule.isBroken(path));
    }
}
