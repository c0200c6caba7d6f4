package dev.tilewright.gemm;

import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.Parameter;
import dev.tilewright.model.space.ParameterValue;
import dev.tilewright.model.space.SearchSpace;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
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

    /** @param space launch parameters stay at their first values that keep the rules */
    public Cover(SearchSpace space) {
        this.space = space;
    }

    /** Two parameters and a value for each. */
    public record Pair(String first, ParameterValue firstValue, String second, ParameterValue secondValue) {}

    public Set<Config> corners() {
        Map<String, List<ParameterValue>> ends = new LinkedHashMap<>();
        for (Parameter parameter : space.parameters()) {
            List<ParameterValue> values = parameter.values();
            ends.put(
                    parameter.name(),
                    parameter.kind() == Parameter.Kind.TEXT && values.size() > 1
                            ? List.of(values.getFirst(), values.getLast())
                            : List.of(values.getFirst()));
        }
        return new LinkedHashSet<>(space.restrict(ends).configs().toList());
    }

    /** The pairs of text parameters that stand together in some config. */
    public Set<Pair> possiblePairs() {
        Set<Pair> possible = new HashSet<>();
        texts().configs().forEach(config -> possible.addAll(pairs(config)));
        return possible;
    }

    public Set<Config> pairwise(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Map<Pair, List<Config>> samples = new HashMap<>();
        Map<Pair, Integer> met = new HashMap<>();
        // One walk keeps a few configs of each pair, each as likely.
        texts().configs()
                .forEach(config -> pairs(config).forEach(pair -> {
                    List<Config> kept = samples.computeIfAbsent(pair, key -> new ArrayList<>());
                    int count = met.merge(pair, 1, Integer::sum);
                    if (kept.size() < CANDIDATES) {
                        kept.add(config);
                    } else if (random.nextInt(count) < CANDIDATES) {
                        kept.set(random.nextInt(CANDIDATES), config);
                    }
                }));
        Set<Pair> missing = new LinkedHashSet<>(samples.keySet().stream()
                .sorted(Comparator.comparing(Pair::toString))
                .toList());
        Set<Config> cover = new LinkedHashSet<>();
        while (!missing.isEmpty()) {
            Optional<Config> best = samples.get(missing.iterator().next()).stream()
                    .max(Comparator.comparingLong(config -> added(config, missing)));
            cover.add(best.orElseThrow());
            missing.removeAll(pairs(best.orElseThrow()));
        }
        return cover;
    }

    /** The space with launch parameters at their first values. */
    private SearchSpace texts() {
        Map<String, List<ParameterValue>> first = new HashMap<>();
        space.parameters().stream()
                .filter(parameter -> parameter.kind() == Parameter.Kind.LAUNCH)
                .forEach(parameter ->
                        first.put(parameter.name(), List.of(parameter.values().getFirst())));
        return space.restrict(first);
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
