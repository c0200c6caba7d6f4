package dev.tilewright.api.search;

import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.Parameter;
import dev.tilewright.model.space.ParameterValue;
import dev.tilewright.model.space.SearchSpace;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.random.RandomGenerator;

/**
 * Configs that are worth a look, with the logarithm of their predicted time: for every tile the best that was found.
 * How a tile fits the waves of a shape decides more than all else, and which of those that fit is best is what
 * measurements are for, so no tile may drop out because the model likes another a little better.
 *
 * <p>The space is not walked, however large it is. A sample begins at points drawn uniformly, whether they keep the
 * rules or not, and takes the next few configs that do; then whatever differs from the best of a tile in one value is
 * tried, and some that differ in two.
 */
final class Candidates {

    /** A space of no more configs is taken whole. */
    private static final int FEW = 1200;

    private static final int STARTS_A_TILE = 3;
    private static final int CONFIGS_A_START = 2;
    private static final int ROUNDS = 4;
    /** So much slower than the best a tile may be predicted, as a logarithm: the model errs by less. */
    private static final double WORTH_IT = 0.25;

    private static final int KEPT_A_TILE = 24;
    /** Rules tie parameters together: a larger tile needs fewer stages, and neither move alone is allowed. */
    private static final int PAIRS = 120;

    private Candidates() {}

    /** The candidates of a space for a seed; a config that {@code logTime} has no finite time for is none. */
    static Map<Config, Double> of(SearchSpace space, long seed, ToDoubleFunction<Config> logTime) {
        Map<Config, Double> candidates = new LinkedHashMap<>();
        List<Config> front = space.configs().limit(FEW + 1L).toList();
        if (front.size() <= FEW) {
            front.forEach(config -> add(candidates, config, logTime));
            return candidates;
        }
        RandomGenerator random = RandomStrategy.stream(seed, -1);
        List<Parameter> moving = space.parameters().stream()
                .filter(parameter -> parameter.values().size() > 1 && !Tile.PARAMETERS.contains(parameter.name()))
                .toList();
        for (SearchSpace part : parts(space)) {
            for (int i = 0; i < STARTS_A_TILE; i++) {
                part.configsAfter(part.draw(random))
                        .limit(CONFIGS_A_START)
                        .forEach(config -> add(candidates, config, logTime));
            }
        }
        for (int round = 0; round < ROUNDS; round++) {
            // What a tile can do shows only after some moves, so the first rounds give up none of them.
            double worthIt = WORTH_IT * (ROUNDS - round);
            best(candidates, 1, worthIt).keySet().forEach(config -> {
                neighbours(space, space.parameters(), config, candidates, logTime);
                pairs(space, moving, config, random, candidates, logTime);
            });
        }
        return best(candidates, KEPT_A_TILE, WORTH_IT);
    }

    /** The space cut by tile. */
    private static List<SearchSpace> parts(SearchSpace space) {
        List<SearchSpace> parts = List.of(space);
        for (Parameter parameter : space.parameters()) {
            if (Tile.PARAMETERS.contains(parameter.name())) {
                parts = parts.stream()
                        .flatMap(part -> parameter.values().stream()
                                .map(value -> part.restrict(Map.of(parameter.name(), List.of(value)))))
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
                .sorted(Map.Entry.comparingByValue())
                .filter(candidate -> taken.merge(Tile.of(candidate.getKey()), 1, Integer::sum) <= few)
                .forEach(candidate -> best.put(candidate.getKey(), candidate.getValue()));
        return best;
    }

    /** Whatever differs from the config in one value, and some that differ in two. */
    static Map<Config, Double> around(SearchSpace space, Config config, long seed, ToDoubleFunction<Config> logTime) {
        Map<Config, Double> candidates = new LinkedHashMap<>();
        List<Parameter> moving = space.parameters().stream()
                .filter(parameter -> parameter.values().size() > 1)
                .toList();
        neighbours(space, moving, config, candidates, logTime);
        if (!moving.isEmpty()) {
            pairs(
                    space,
                    moving,
                    config,
                    RandomStrategy.stream(~seed, config.canonical().hashCode()),
                    candidates,
                    logTime);
        }
        return candidates;
    }

    private static void neighbours(
            SearchSpace space,
            List<Parameter> moving,
            Config config,
            Map<Config, Double> candidates,
            ToDoubleFunction<Config> logTime) {
        for (Parameter parameter : moving) {
            for (ParameterValue value : parameter.values()) {
                move(space, config.with(parameter.name(), value), candidates, logTime);
            }
        }
    }

    /** Some of what differs from the config in two values. */
    private static void pairs(
            SearchSpace space,
            List<Parameter> moving,
            Config config,
            RandomGenerator random,
            Map<Config, Double> candidates,
            ToDoubleFunction<Config> logTime) {
        for (int i = 0; i < PAIRS; i++) {
            Config moved = config;
            for (int j = 0; j < 2; j++) {
                Parameter parameter = moving.get(random.nextInt(moving.size()));
                moved = moved.with(
                        parameter.name(),
                        parameter.values().get(random.nextInt(parameter.values().size())));
            }
            move(space, moved, candidates, logTime);
        }
    }

    private static void move(
            SearchSpace space, Config moved, Map<Config, Double> candidates, ToDoubleFunction<Config> logTime) {
        if (!candidates.containsKey(moved) && space.violation(moved).isEmpty()) {
            add(candidates, moved, logTime);
        }
    }

    private static void add(Map<Config, Double> candidates, Config config, ToDoubleFunction<Config> logTime) {
        double time = logTime.applyAsDouble(config);
        if (Double.isFinite(time)) {
            candidates.put(config, time);
        }
    }
}
