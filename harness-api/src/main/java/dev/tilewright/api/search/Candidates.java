package dev.tilewright.api.search;

import dev.tilewright.model.space.Config;
import dev.tilewright.space.Parameter;
import dev.tilewright.space.SearchSpace;
import dev.tilewright.space.SpaceWalk;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Configs that are worth a look, with the logarithm of their predicted time: for every tile the best that was found.
 * How a tile fits the waves of a shape decides more than all else, and which of those that fit is best is what
 * measurements are for, so no tile may drop out because the model likes another a little better.
 *
 * <p>The space is not walked, however large it is. A sample begins at points drawn uniformly, whether they keep the
 * rules or not, and takes the next few configs that do; then whatever differs from the best of a tile in one value is
 * tried, and some that differ in two; all of these if the tile is near the best.
 */
final class Candidates {

    /** A space of no more configs is taken whole. */
    private static final int FEW = 1200;

    private static final int STARTS_A_TILE = 2;
    private static final int CONFIGS_A_START = 2;
    private static final int ROUNDS = 3;
    /** So much slower than the best a tile may be predicted, as a logarithm: the model errs by less. */
    private static final double WORTH_IT = 0.25;

    /** So much slower the best of a tile may be predicted for all its pairs of moves to be tried, as a logarithm. */
    private static final double NEAR = 0.08;

    private static final int KEPT_A_TILE = 4;
    /** Rules tie parameters together: a larger tile needs fewer stages, and neither move alone is allowed. */
    private static final int PAIRS_A_ROUND = 28;

    private static final int PAIRS_AROUND = 120;

    private Candidates() {}

    /** The candidates of a space for a seed; a config that {@code logTime} has no finite time for is none. */
    static Map<Config, Double> of(SearchSpace space, long seed, ToDoubleFunction<Config> logTime) {
        List<Config> front = space.configs().limit(FEW + 1L).toList();
        if (front.size() <= FEW) {
            Map<Config, Double> all = new LinkedHashMap<>();
            front.forEach(config -> add(all, config, logTime));
            return all;
        }
        // What is found does not depend on who finds it first: all processors look.
        Map<Config, Double> candidates = new ConcurrentHashMap<>();
        SpaceWalk walk = new SpaceWalk(space);
        List<SpaceWalk> parts = parts(space, walk);
        IntStream.range(0, parts.size())
                .parallel()
                .mapToObj(part -> starts(parts.get(part), RandomStrategy.stream(seed, -1 - part)))
                .flatMap(starts -> starts)
                .forEach(config -> add(candidates, config, logTime));
        List<Parameter> inside = space.parameters().stream()
                .filter(parameter -> parameter.values().size() > 1 && !Tile.PARAMETERS.contains(parameter.name()))
                .toList();
        for (int round = 0; round < ROUNDS; round++) {
            // What a tile can do shows only after some moves, so the first rounds give up none of them.
            double worthIt = WORTH_IT * (ROUNDS - round);
            Function<Config, Stream<Config>> some = config ->
                    Stream.concat(neighbours(space.parameters(), config), pairs(inside, config, seed, PAIRS_A_ROUND));
            move(candidates, worthIt, some, walk, logTime);
        }
        move(candidates, NEAR, config -> allPairs(inside, config), walk, logTime);
        return best(candidates, KEPT_A_TILE, WORTH_IT);
    }

    /** Adds what the best of every tile that is worth it may move to. */
    private static void move(
            Map<Config, Double> candidates,
            double worthIt,
            Function<Config, Stream<Config>> moves,
            SpaceWalk space,
            ToDoubleFunction<Config> logTime) {
        best(candidates, 1, worthIt).keySet().parallelStream()
                .flatMap(moves)
                .filter(config -> !candidates.containsKey(config) && space.allows(config))
                .forEach(config -> add(candidates, config, logTime));
    }

    private static Stream<Config> starts(SpaceWalk part, RandomGenerator random) {
        return IntStream.range(0, STARTS_A_TILE)
                .boxed()
                .flatMap(_ -> part.configsAfterDraw(random).limit(CONFIGS_A_START));
    }

    /** The space cut by tile; what a rule forbids altogether is left out before it is cut further. */
    private static List<SpaceWalk> parts(SearchSpace space, SpaceWalk walk) {
        List<SpaceWalk> parts = List.of(walk);
        for (Parameter parameter : space.parameters()) {
            if (Tile.PARAMETERS.contains(parameter.name())) {
                parts = parts.parallelStream()
                        .flatMap(part -> part.cut(parameter.name()).stream())
                        .filter(part -> part.configs().findFirst().isPresent())
                        .toList();
            }
        }
        return parts;
    }

    /** The fastest few of every tile that is worth it, fastest first. */
    private static Map<Config, Double> best(Map<Config, Double> candidates, int few, double worthIt) {
        double slowest =
                candidates.values().stream().mapToDouble(time -> time).min().orElse(0) + worthIt;
        Map<Tile, Integer> taken = new HashMap<>();
        Map<Config, Double> best = new LinkedHashMap<>();
        candidates.entrySet().stream()
                .filter(candidate -> candidate.getValue() <= slowest)
                .sorted(Map.Entry.<Config, Double>comparingByValue()
                        .thenComparing(candidate -> candidate.getKey().canonical()))
                .filter(candidate -> taken.merge(Tile.of(candidate.getKey()), 1, Integer::sum) <= few)
                .forEach(candidate -> best.put(candidate.getKey(), candidate.getValue()));
        return best;
    }

    /** Whatever differs from the config in one value, and some that differ in two. */
    static Map<Config, Double> around(SearchSpace space, Config config, long seed, ToDoubleFunction<Config> logTime) {
        List<Parameter> moving = space.parameters().stream()
                .filter(parameter -> parameter.values().size() > 1)
                .toList();
        Map<Config, Double> candidates = new LinkedHashMap<>();
        Stream.concat(neighbours(moving, config), pairs(moving, config, seed, PAIRS_AROUND))
                .distinct()
                .filter(moved -> space.violation(moved).isEmpty())
                .forEach(moved -> add(candidates, moved, logTime));
        return candidates;
    }

    /** The config with each of the tiles in place of its own. */
    static Map<Config, Double> withOtherTiles(
            SearchSpace space, Config config, Set<Tile> tiles, ToDoubleFunction<Config> logTime) {
        Map<Config, Double> candidates = new LinkedHashMap<>();
        tiles.stream()
                .map(tile -> tile.in(config))
                .filter(moved -> space.violation(moved).isEmpty())
                .forEach(moved -> add(candidates, moved, logTime));
        return candidates;
    }

    private static Stream<Config> neighbours(List<Parameter> moving, Config config) {
        return moving.stream()
                .flatMap(parameter -> parameter.values().stream().map(value -> config.with(parameter.name(), value)));
    }

    private static Stream<Config> allPairs(List<Parameter> moving, Config config) {
        return IntStream.range(0, moving.size())
                .boxed()
                .flatMap(first -> neighbours(List.of(moving.get(first)), config)
                        .flatMap(moved -> neighbours(moving.subList(first + 1, moving.size()), moved)));
    }

    /** Some of what differs from the config in two values: others for another config. */
    private static Stream<Config> pairs(List<Parameter> moving, Config config, long seed, int count) {
        if (moving.isEmpty()) {
            return Stream.empty();
        }
        RandomGenerator random = RandomStrategy.stream(~seed, config.canonical().hashCode());
        return IntStream.range(0, count).mapToObj(_ -> moved(moving, moved(moving, config, random), random));
    }

    private static Config moved(List<Parameter> moving, Config config, RandomGenerator random) {
        Parameter parameter = moving.get(random.nextInt(moving.size()));
        return config.with(
                parameter.name(),
                parameter.values().get(random.nextInt(parameter.values().size())));
    }

    private static void add(Map<Config, Double> candidates, Config config, ToDoubleFunction<Config> logTime) {
        double time = logTime.applyAsDouble(config);
        if (Double.isFinite(time)) {
            candidates.put(config, time);
        }
    }
}
