package dev.tilewright.space;

import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import dev.tilewright.model.space.Violation;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The configs of a space as a decision diagram, in which equal subtrees are one (the chain of trees of ATF and BaCO
 * goes the same way): it is counted, drawn from and walked exactly, and no config is ever rejected. Configs have
 * numbers, by the values of the parameters in the order of {@link #order()}, the last of which changes fastest. It
 * never changes: many threads may read it.
 */
public final class SpaceTree {

    private final SearchSpace space;
    private final List<TreeLevel> levels;
    private final List<Violation> emptiedBy;
    /** Levels in the order of the names of their parameters. */
    private final int[] sorted;

    private final String[] names;

    /** Found when they are first asked for. */
    private final ConcurrentMap<String, List<SpaceTree>> parts = new ConcurrentHashMap<>();

    SpaceTree(SearchSpace space, List<TreeLevel> levels, List<Violation> emptiedBy) {
        this.space = space;
        this.levels = List.copyOf(levels);
        this.emptiedBy = List.copyOf(emptiedBy);
        sorted = IntStream.range(0, levels.size())
                .boxed()
                .sorted(Comparator.comparing(
                        level -> levels.get(level).parameter().name()))
                .mapToInt(Integer::intValue)
                .toArray();
        names = Arrays.stream(sorted)
                .mapToObj(level -> levels.get(level).parameter().name())
                .toArray(String[]::new);
    }

    /** Builds the tree of a space: each rule is asked at most once for each combination of what it looks at. */
    public static SpaceTree of(SearchSpace space) {
        return TreeBuilder.build(space);
    }

    /** The space whose configs these are; of a part, the whole space. */
    public SearchSpace space() {
        return space;
    }

    /** The parameters in the order of the levels. */
    public List<Parameter> order() {
        return levels.stream().map(TreeLevel::parameter).toList();
    }

    List<TreeLevel> levels() {
        return levels;
    }

    /** Number of configs. */
    public long size() {
        return levels.isEmpty() ? 1 : levels.getFirst().sizes()[0];
    }

    /** Whether no config keeps all rules. */
    public boolean isEmpty() {
        return size() == 0;
    }

    /** Of an empty space the rules that refuse whatever those before them have left, each with an example. */
    public List<Violation> emptiedBy() {
        return emptiedBy;
    }

    /**
     * The config with a number.
     *
     * @throws IndexOutOfBoundsException if the number is not from 0 to below {@link #size()}
     */
    public Config config(long number) {
        if (number < 0 || number >= size()) {
            throw new IndexOutOfBoundsException("config " + number + " of " + size());
        }
        int[] path = new int[levels.size()];
        long rest = number;
        int node = 0;
        for (int at = 0; at < path.length; at++) {
            TreeLevel level = levels.get(at);
            int value = 0;
            for (long below = below(at, level.child(node, value)); rest >= below; ) {
                rest -= below;
                value++;
                below = below(at, level.child(node, value));
            }
            path[at] = value;
            node = level.child(node, value);
        }
        return config(path);
    }

    /** Configs below a child of a level. */
    private long below(int level, int child) {
        if (child == TreeLevel.NONE) {
            return 0;
        }
        return level + 1 == levels.size() ? 1 : levels.get(level + 1).sizes()[child];
    }

    /** The number of a config; empty if it is not one of these. */
    public OptionalLong number(Config config) {
        int[] path = path(config);
        if (path == null) {
            return OptionalLong.empty();
        }
        long number = 0;
        int node = 0;
        for (int at = 0; at < path.length; at++) {
            TreeLevel level = levels.get(at);
            for (int value = 0; value < path[at]; value++) {
                number += below(at, level.child(node, value));
            }
            node = level.child(node, path[at]);
            if (node == TreeLevel.NONE) {
                return OptionalLong.empty();
            }
        }
        return OptionalLong.of(number);
    }

    /** Whether a config is one of these. */
    public boolean contains(Config config) {
        int[] path = path(config);
        return path != null && leads(path, 0, 0);
    }

    /** Whether a path goes on to a config from a node. */
    private boolean leads(int[] path, int from, int start) {
        int node = start;
        for (int at = from; at < path.length && node != TreeLevel.NONE; at++) {
            node = levels.get(at).child(node, path[at]);
        }
        return node != TreeLevel.NONE && !isEmpty();
    }

    /** The values of a config by their indices in the lists of the parameters; {@code null} if one is not listed. */
    private int @Nullable [] path(Config config) {
        if (config.size() != levels.size()) {
            return null;
        }
        int[] path = new int[levels.size()];
        for (int at = 0; at < path.length; at++) {
            Parameter parameter = levels.get(at).parameter();
            path[at] = config.has(parameter.name()) ? parameter.values().indexOf(config.value(parameter.name())) : -1;
            if (path[at] < 0) {
                return null;
            }
        }
        return path;
    }

    Config config(int[] path) {
        ParameterValue[] values = new ParameterValue[path.length];
        for (int i = 0; i < values.length; i++) {
            values[i] = levels.get(sorted[i]).parameter().values().get(path[sorted[i]]);
        }
        return Config.ofSorted(names, values);
    }

    /**
     * A config drawn uniformly.
     *
     * @throws IllegalStateException if there is none
     */
    public Config draw(RandomGenerator random) {
        if (isEmpty()) {
            throw new IllegalStateException("family " + space.family() + " has no config to draw: " + emptiedBy);
        }
        return config(random.nextLong(size()));
    }

    /** All configs by their numbers, found lazily. */
    public Stream<Config> configs() {
        return configsFrom(0);
    }

    /** The configs from a number on; what lies before is not walked. */
    public Stream<Config> configsFrom(long number) {
        return LongStream.range(number, size()).mapToObj(this::config);
    }

    /**
     * The configs that have one of the given values of each named parameter. No rule is asked again.
     *
     * @throws IllegalArgumentException if a name is unknown
     */
    public SpaceTree only(Map<String, List<ParameterValue>> wanted) {
        for (String name : wanted.keySet()) {
            if (Arrays.binarySearch(names, name) < 0) {
                throw new IllegalArgumentException(
                        "family " + space.family() + " has no parameter '" + name + "'; known: " + List.of(names));
            }
        }
        List<int[]> children = new ArrayList<>();
        LongIndex nodes = new LongIndex();
        if (!isEmpty()) {
            nodes.add(0);
        }
        for (TreeLevel level : levels) {
            boolean[] taken = taken(level.parameter(), wanted);
            LongIndex below = new LongIndex();
            int[] found = new int[nodes.size() * taken.length];
            for (int edge = 0; edge < found.length; edge++) {
                int child = level.child((int) nodes.key(edge / taken.length), edge % taken.length);
                boolean kept = child != TreeLevel.NONE && taken[edge % taken.length];
                found[edge] = kept ? below.add(child) : TreeLevel.NONE;
            }
            children.add(found);
            nodes = below;
        }
        return nodes.size() == 0
                ? new SpaceTree(space, levels.stream().map(SpaceTree::emptied).toList(), emptiedBy)
                : new SpaceTree(space, TreeBuilder.sized(order(), children), emptiedBy);
    }

    private static TreeLevel emptied(TreeLevel level) {
        int[] none = new int[level.values()];
        Arrays.fill(none, TreeLevel.NONE);
        return new TreeLevel(level.parameter(), none, new long[1]);
    }

    private static boolean[] taken(Parameter parameter, Map<String, List<ParameterValue>> wanted) {
        List<ParameterValue> values = wanted.getOrDefault(parameter.name(), parameter.values());
        boolean[] taken = new boolean[parameter.values().size()];
        for (int value = 0; value < taken.length; value++) {
            taken[value] = values.contains(parameter.values().get(value));
        }
        return taken;
    }

    /** The same for one value of one parameter. */
    public SpaceTree only(String parameter, ParameterValue value) {
        return only(Map.of(parameter, List.of(value)));
    }

    /**
     * The parts that have one value of a parameter each, empty ones too; the whole if there is no such parameter. They
     * are kept: who draws from them does so often.
     */
    public List<SpaceTree> parts(String parameter) {
        return parts.computeIfAbsent(
                parameter,
                name -> order().stream()
                        .filter(each -> each.name().equals(name))
                        .findFirst()
                        .map(each -> each.values().stream()
                                .map(value -> only(name, value))
                                .toList())
                        .orElse(List.of(this)));
    }

    /**
     * All configs that differ from one of these in the value of exactly one parameter.
     *
     * @throws IllegalArgumentException if the config is not one of these
     */
    public List<Config> neighbours(Config config) {
        int[] path = path(config);
        if (path == null || !leads(path, 0, 0)) {
            throw new IllegalArgumentException("the space does not have " + config);
        }
        List<Config> neighbours = new ArrayList<>();
        int node = 0;
        for (int at = 0; at < path.length; at++) {
            TreeLevel level = levels.get(at);
            int own = path[at];
            for (int value = 0; value < level.values(); value++) {
                int child = level.child(node, value);
                if (value != own && child != TreeLevel.NONE && leads(path, at + 1, child)) {
                    int[] other = path.clone();
                    other[at] = value;
                    neighbours.add(config(other));
                }
            }
            node = level.child(node, own);
        }
        return neighbours;
    }

    /**
     * For each combination of values of the named parameters that any config has, one such config: of the other
     * parameters it has the earliest values that go together, so a family lists first what is usually best.
     */
    public List<Config> representatives(List<String> parameters) {
        return isEmpty() ? List.of() : new CheapestWays(this, parameters, (parameter, value) -> value).configs();
    }

    /**
     * The config that has the fewest values other than a wish has; of several the first by the order of the tree. Empty
     * if there is no config.
     *
     * @param wish may break rules, or have values that the space does not list
     */
    public Optional<Config> nearest(Config wish) {
        CheapestWays.Cost otherwise = (parameter, value) -> wish.has(parameter.name())
                        && wish.value(parameter.name())
                                .equals(parameter.values().get(value))
                ? 0
                : 1;
        return isEmpty()
                ? Optional.empty()
                : new CheapestWays(this, List.of(), otherwise)
                        .configs().stream().findFirst();
    }
}
