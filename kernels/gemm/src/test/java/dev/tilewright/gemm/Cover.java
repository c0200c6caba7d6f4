package dev.tilewright.gemm;

import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import dev.tilewright.space.Constraint;
import dev.tilewright.space.Parameter;
import dev.tilewright.space.SearchSpace;
import dev.tilewright.space.SpaceWalk;
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

    /** @param space launch parameters take any values that keep the rules */
    public Cover(SearchSpace space) {
        this.space = space;
    }

    /** Two parameters and a value for each. */
    public record Pair(String first, ParameterValue firstValue, String second, ParameterValue secondValue) {}

    /** @param whole parameters of which every value is a corner */
    public Set<Config> corners(String... whole) {
        Map<String, List<ParameterValue>> ends = new LinkedHashMap<>();
        for (Parameter parameter : space.parameters()) {
            List<ParameterValue> values = parameter.values();
            ends.put(
                    parameter.name(),
                    List.of(whole).contains(parameter.name())
                            ? values
                            : parameter.kind() == Parameter.Kind.TEXT && values.size() > 1
                                    ? List.of(values.getFirst(), values.getLast())
                                    : List.of(values.getFirst()));
        }
        return new LinkedHashSet<>(space.restrict(ends).configs().toList());
    }

    /** The pairs of text parameters that stand together in some config. */
    public Set<Pair> possiblePairs() {
        return listedPairs()
                .filter(pair -> only(pair).configs().findFirst().isPresent())
                .collect(Collectors.toSet());
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
        SearchSpace holding = only(pair);
        SpaceWalk walk = new SpaceWalk(holding);
        Optional<Config> first = walk.configs().findFirst();
        return first.stream()
                .flatMap(config -> IntStream.range(0, CANDIDATES)
                        .mapToObj(candidate ->
                                walk.configsAfterDraw(random).findFirst().orElse(config)))
                .toList();
    }

    /**
     * The space with this pair alone. The two come first, and whatever else has one value, and then what rules tie to
     * them: where they do not go together a walk so finds out at once, and not below everything that has nothing to do
     * with it.
     */
    private SearchSpace only(Pair pair) {
        SearchSpace holding = space.restrict(
                Map.of(pair.first(), List.of(pair.firstValue()), pair.second(), List.of(pair.secondValue())));
        Set<String> order = new LinkedHashSet<>(List.of(pair.first(), pair.second()));
        for (int both = 2; both > 0; both--) {
            int least = both;
            space.constraints().stream()
                    .map(Constraint::parameters)
                    .filter(tied -> Stream.of(pair.first(), pair.second())
                                    .filter(tied::contains)
                                    .count()
                            >= least)
                    .sorted(Comparator.comparingInt(List::size))
                    .forEach(order::addAll);
        }
        Set<String> decided = holding.parameters().stream()
                .filter(parameter -> parameter.values().size() == 1)
                .map(Parameter::name)
                .collect(Collectors.toCollection(LinkedHashSet::new));
        decided.addAll(order);
        List<String> names = List.copyOf(decided);
        List<Parameter> first = holding.parameters().stream()
                .filter(parameter -> decided.contains(parameter.name()))
                .sorted(Comparator.comparingInt(parameter -> names.indexOf(parameter.name())))
                .toList();
        List<Parameter> rest = holding.parameters().stream()
                .filter(parameter -> !decided.contains(parameter.name()))
                .toList();
        return new SearchSpace(
                space.family(), Stream.concat(first.stream(), rest.stream()).toList(), space.constraints());
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
