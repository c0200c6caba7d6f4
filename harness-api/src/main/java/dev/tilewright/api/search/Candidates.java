package dev.tilewright.api.search;

import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.Parameter;
import dev.tilewright.model.space.ParameterValue;
import dev.tilewright.model.space.SearchSpace;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.random.RandomGenerator;

/**
 * Configs that are worth a look, with the logarithm of their predicted time: a sample of the space, and around its best
 * ones whatever differs in one value and some that differ in two. The space is not walked, however large it is: a
 * sample begins at points drawn uniformly, whether they keep the rules or not, and takes the next few configs that do.
 */
final class Candidates {

    /** A space of no more configs is taken whole. */
    private static final int FEW = 1200;

    private static final int STARTS = 400;
    private static final int CONFIGS_A_START = 3;
    private static final int ROUNDS = 4;
    private static final int BEST = 16;
    /** Rules tie parameters together: a larger tile needs fewer stages, and neither move alone is allowed. */
    private static final int PAIRS = 60;

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
        for (int i = 0; i < STARTS; i++) {
            space.configsAfter(space.draw(random))
                    .limit(CONFIGS_A_START)
                    .forEach(config -> add(candidates, config, logTime));
        }
        for (int round = 0; round < ROUNDS; round++) {
            List<Config> best = candidates.entrySet().stream()
                    .sorted(Comparator.comparingDouble(Map.Entry::getValue))
                    .limit(BEST)
                    .map(Map.Entry::getKey)
                    .toList();
            best.forEach(config -> {
                neighbours(space, config, candidates, logTime);
                pairs(space, config, random, candidates, logTime);
            });
        }
        return candidates;
    }

    /** Whatever differs from the config in one value. */
    static Map<Config, Double> around(SearchSpace space, Config config, ToDoubleFunction<Config> logTime) {
        Map<Config, Double> candidates = new LinkedHashMap<>();
        neighbours(space, config, candidates, logTime);
        return candidates;
    }

    private static void neighbours(
            SearchSpace space, Config config, Map<Config, Double> candidates, ToDoubleFunction<Config> logTime) {
        for (Parameter parameter : space.parameters()) {
            for (ParameterValue value : parameter.values()) {
                move(space, config.with(parameter.name(), value), candidates, logTime);
            }
        }
    }

    /** Some of what differs from the config in two values. */
    private static void pairs(
            SearchSpace space,
            Config config,
            RandomGenerator random,
            Map<Config, Double> candidates,
            ToDoubleFunction<Config> logTime) {
        for (int i = 0; i < PAIRS; i++) {
            Config moved = config;
            for (int j = 0; j < 2; j++) {
                Parameter parameter =
                        space.parameters().get(random.nextInt(space.parameters().size()));
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
