package dev.tilewright.gemm;

import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import dev.tilewright.space.Parameter;
import dev.tilewright.space.SearchSpace;
import dev.tilewright.space.SpaceTree;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The declared cover of a search space, over its text parameters: all corners, which are the configs that have the
 * first or the last value of each parameter, and a pairwise cover, in which every two values that go together in any
 * config stand together in one.
 */
public final class Cover {

    /** Configs drawn for each pair that is still missing, to take the one that adds most. */
    private static final int CANDIDATES = 12;

    private final SearchSpace space;
    private final SpaceTree tree;

    /** @param space launch parameters take any values that keep the rules */
    public Cover(SearchSpace space) {
        this.space = space;
        this.tree = SpaceTree.of(space);
    }

    /** Two parameters and a value for each. */
    public record Pair(String first, ParameterValue firstValue, String second, ParameterValue secondValue) {}

    /** @param whole parameters of which every value is a corner */
    public Set<Config> corners(String... whole) {
        Map<String, List<ParameterValue>> ends = new LinkedHashMap<>();
        for (Parameter parameter : space.parameters()) {
            List<ParameterValue> values = parameter.values().stream().sorted().toList();
            ends.put(
                    parameter.name(),
                    List.of(whole).contains(parameter.name())
                            ? values
                            : parameter.kind() == Parameter.Kind.TEXT && values.size() > 1
                                    ? List.of(values.getFirst(), values.getLast())
                                    : List.of(parameter.values().getFirst()));
        }
        return new LinkedHashSet<>(tree.only(ends).configs().toList());
    }

    /** The pairs of text parameters that stand together in some config. */
    public Set<Pair> possiblePairs() {
        return listedPairs().filter(pair -> !only(pair).isEmpty()).collect(Collectors.toSet());
    }

    /** The pairs of values that the space lists, whether or not they go together. */
    private Stream<Pair> listedPairs() {
        List<Parameter> text = space.parameters().stream()
                .filter(parameter -> parameter.kind() == Parameter.Kind.TEXT)
                .toList();
        return text.stream()
                .flatMap(first -> text.stream()
                        .filter(second -> first.name().compareTo(second.name()) < 0)
                        .flatMap(second -> first.values().stream()
                                .flatMap(value -> second.values().stream()
                                        .map(other -> new Pair(first.name(), value, second.name(), other)))));
    }

    public Set<Config> pairwise(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Set<Pair> missing = listedPairs()
                .sorted(Comparator.comparing(Pair::toString))
                .collect(Collectors.toCollection(LinkedHashSet::new));
        Set<Config> cover = new LinkedHashSet<>();
        while (!missing.isEmpty()) {
            Pair next = missing.iterator().next();
            Optional<Config> best =
                    candidates(next, random).stream().max(Comparator.comparingLong(config -> added(config, missing)));
            best.ifPresent(cover::add);
            best.ifPresent(config -> missing.removeAll(pairs(config)));
            // Also where the two do not go together.
            missing.remove(next);
        }
        return cover;
    }

    /** Some configs that hold a pair, from anywhere in the space; none if the two do not go together. */
    private List<Config> candidates(Pair pair, SplittableRandom random) {
        SpaceTree holding = only(pair);
        return holding.isEmpty()
                ? List.of()
                : IntStream.range(0, CANDIDATES)
                        .mapToObj(_ -> holding.draw(random))
                        .toList();
    }

    /** The configs with this pair. */
    private SpaceTree only(Pair pair) {
        return tree.only(Map.of(pair.first(), List.of(pair.firstValue()), pair.second(), List.of(pair.secondValue())));
    }

    private static long added(Config config, Set<Pair> missing) {
        return pairsOf(config).filter(missing::contains).count();
    }

    public Set<Pair> pairs(Config config) {
        return new HashSet<>(
                pairsOf(config.only(space.names(Parameter.Kind.TEXT))).toList());
    }

    private static Stream<Pair> pairsOf(Config config) {
        List<String> names = List.copyOf(config.values().keySet());
        return names.stream()
                .flatMap(first -> names.stream()
                        .filter(second -> first.compareTo(second) < 0)
                        .map(second -> new Pair(first, config.value(first), second, config.value(second))));
    }
}
