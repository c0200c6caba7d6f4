package dev.tilewright.space;

import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.Violation;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Ways through a space, or through a part of it: depth first, one parameter a level, and a subtree is left as soon as a
 * rule is broken. What the rules have said is remembered, in all parts of one space together; as many threads as like
 * to may walk.
 *
 * <p>Counting does not walk what it has counted before: what lies below a node depends only on those of its values that
 * a rule further down looks at, so nodes that agree in them share one count.
 */
public final class SpaceWalk {

    private final List<Parameter> parameters;
    private final Rules known;
    private final List<Rules.Rule> rules;
    /** Indices of the values of each level that are walked. */
    private final int[][] walked;
    /** Number of combinations below a node of the level. */
    private final long[] below;

    /** The whole space; the rules have not been asked yet. */
    public SpaceWalk(SearchSpace space) {
        this(
                space.parameters(),
                new Rules(space),
                space.parameters().stream()
                        .map(parameter ->
                                IntStream.range(0, parameter.values().size()).toArray())
                        .toArray(int[][]::new));
    }

    private SpaceWalk(List<Parameter> parameters, Rules known, int[][] walked) {
        this.parameters = parameters;
        this.known = known;
        this.walked = walked;
        rules = known.all();
        int levels = parameters.size();
        below = new long[levels + 1];
        below[levels] = 1;
        for (int level = levels - 1; level >= 0; level--) {
            below[level] = Math.multiplyExact(below[level + 1], walked[level].length);
        }
    }

    /** Levels above a level that a rule decided there or below looks at. */
    private int[] liveAt(int level) {
        return IntStream.range(0, level)
                .filter(above -> rules.stream().anyMatch(rule -> rule.decidedAt() >= level && rule.looksAt(above)))
                .toArray();
    }

    /** The parts that have one value of a parameter each; the whole if there is no such parameter. */
    public List<SpaceWalk> cut(String parameter) {
        return IntStream.range(0, parameters.size())
                .filter(level -> parameters.get(level).name().equals(parameter))
                .boxed()
                .findFirst()
                .map(level -> Arrays.stream(walked[level])
                        .mapToObj(value -> only(level, value))
                        .toList())
                .orElse(List.of(this));
    }

    private SpaceWalk only(int level, int value) {
        int[][] part = walked.clone();
        part[level] = new int[] {value};
        return new SpaceWalk(parameters, known, part);
    }

    /** Number of all combinations, whether or not they keep the rules. */
    public long points() {
        return below[0];
    }

    /** Whether a config is one of the whole space. */
    public boolean allows(Config config) {
        return known.allow(config);
    }

    /** Every config that keeps all rules, in the order of the parameters, found lazily. */
    public Stream<Config> configs() {
        return configs(0, new int[parameters.size()]);
    }

    private Stream<Config> configs(int level, int[] path) {
        if (level == parameters.size()) {
            return Stream.of(known.config(path));
        }
        return Arrays.stream(walked[level])
                .mapToObj(index -> with(path, level, index))
                .filter(next -> known.firstBroken(level, next) < 0)
                .flatMap(next -> configs(level + 1, next));
    }

    /**
     * The part of {@link #configs()} that follows a point, found without walking what lies before it.
     *
     * @param last a combination of listed values, whether or not it keeps the rules
     * @throws IllegalArgumentException if a parameter has no value in it, or one that the space does not list
     */
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
     * The part of {@link #configs()} that follows a combination drawn uniformly, whether or not that keeps the rules.
     */
    public Stream<Config> configsAfterDraw(RandomGenerator random) {
        long rest = random.nextLong(points());
        int[] path = new int[parameters.size()];
        for (int level = path.length - 1; level >= 0; level--) {
            int count = walked[level].length;
            path[level] = walked[level][(int) (rest % count)];
            rest /= count;
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
        return Arrays.stream(walked[level])
                .filter(index -> index >= path[level])
                .boxed()
                .flatMap(index -> {
                    int[] next = with(path, level, index);
                    if (known.firstBroken(level, next) >= 0) {
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

    /**
     * Configs drawn uniformly from those that keep all rules: combinations are drawn, each up to the first rule that it
     * breaks, so that many cost little.
     *
     * @param combinations how many are drawn, valid or not
     */
    public Stream<Config> draws(RandomGenerator random, long combinations) {
        return LongStream.range(0, combinations).mapToObj(_ -> draw(random)).flatMap(Optional::stream);
    }

    /** One combination, drawn level by level; nothing if it breaks a rule. */
    private Optional<Config> draw(RandomGenerator random) {
        int[] path = new int[parameters.size()];
        for (int level = 0; level < path.length; level++) {
            path[level] = walked[level][random.nextInt(walked[level].length)];
            if (known.firstBroken(level, path) >= 0) {
                return Optional.empty();
            }
        }
        return Optional.of(known.config(path));
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
        for (int index : walked[level]) {
            path[level] = index;
            int broken = known.firstBroken(level, path);
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
