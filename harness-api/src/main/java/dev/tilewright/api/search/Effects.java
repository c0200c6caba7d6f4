package dev.tilewright.api.search;

import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import dev.tilewright.model.trial.TrialOutcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * By how much configs with a parameter value take longer than predicted, as logarithms that add up over the parameters
 * of a config. Before anything is measured each effect may be a few percent either way; every measurement of a value
 * narrows it (ridge regression by turns over the values).
 */
final class Effects {

    /** What is expected of an effect: the model's errors by single values, over the stored sweeps. */
    private static final double SPREAD = 0.03;
    /** What a measurement is off for reasons that no single value has. */
    private static final double NOISE = 0.08;

    private static final double RIDGE = NOISE * NOISE / (SPREAD * SPREAD);
    private static final int SWEEPS = 8;
    /** A config that cannot run counts as so much slower, so that others like it come later. */
    private static final double FAILED = 0.4;

    private record Key(String parameter, ParameterValue value) {}

    private record Seen(Config config, double error) {}

    private final Map<Key, Double> means = new HashMap<>();
    private final Map<Key, Integer> counts = new HashMap<>();

    private Effects() {}

    /**
     * The effects that a history shows.
     *
     * @param logTime the prediction, logarithm of nanoseconds; infinite where there is none
     */
    static Effects of(History history, ToDoubleFunction<Config> logTime) {
        List<Seen> seen = new ArrayList<>();
        double sum = 0;
        int timed = 0;
        for (History.Asked asked : history.asked()) {
            Double tflops = asked.tflops();
            double predicted = logTime.applyAsDouble(asked.config());
            if (tflops != null && Double.isFinite(predicted)) {
                double error = StrictMath.log(history.problem().flops() / tflops / 1e3) - predicted;
                seen.add(new Seen(asked.config(), error));
                sum += error;
                timed++;
            }
        }
        double bias = timed == 0 ? 0 : sum / timed;
        seen.replaceAll(one -> new Seen(one.config(), one.error() - bias));
        for (History.Asked asked : history.asked()) {
            if (isFailure(asked.outcome())) {
                seen.add(new Seen(asked.config(), FAILED));
            }
        }
        Effects effects = new Effects();
        effects.learn(seen);
        return effects;
    }

    /** Whether the config is to blame. */
    private static boolean isFailure(@Nullable TrialOutcome outcome) {
        return switch (outcome) {
            case BUILD, COMPILE, SPILL, LAUNCH, TIMEOUT, CRASH, MISMATCH, HAZARD, PRUNED -> true;
            case COMPLETED, UNASSEMBLED, NOISE, QUARANTINED, CANCELLED, INFRASTRUCTURE -> false;
            case null -> false;
        };
    }

    private void learn(List<Seen> seen) {
        Map<String, Map<Key, List<Integer>>> rows = new TreeMap<>();
        double[] rest = new double[seen.size()];
        for (int i = 0; i < rest.length; i++) {
            rest[i] = seen.get(i).error();
            for (Map.Entry<String, ParameterValue> value :
                    seen.get(i).config().values().entrySet()) {
                Key key = new Key(value.getKey(), value.getValue());
                rows.computeIfAbsent(key.parameter(), name -> new HashMap<>())
                        .computeIfAbsent(key, name -> new ArrayList<>())
                        .add(i);
                counts.merge(key, 1, Integer::sum);
            }
        }
        for (int sweep = 0; sweep < SWEEPS; sweep++) {
            for (Map<Key, List<Integer>> values : rows.values()) {
                // The rows of the values of one parameter do not overlap: their order does not matter.
                values.forEach((key, own) -> {
                    double before = means.getOrDefault(key, 0.0);
                    double sum = 0;
                    for (int row : own) {
                        sum += rest[row] + before;
                    }
                    double mean = sum / (own.size() + RIDGE);
                    for (int row : own) {
                        rest[row] += before - mean;
                    }
                    means.put(key, mean);
                });
            }
        }
    }

    /**
     * What a config is expected to take more than predicted.
     *
     * @param random draws of each effect one of the values that it may have; without, the likeliest is taken
     */
    ToDoubleFunction<Config> drawn(Optional<RandomGenerator> random) {
        long salt = random.map(RandomGenerator::nextLong).orElse(0L);
        Map<Key, Double> drawn = new HashMap<>();
        ToDoubleFunction<Key> effect = key -> {
            double mean = means.getOrDefault(key, 0.0);
            if (random.isEmpty()) {
                return mean;
            }
            double deviation = SPREAD * Math.sqrt(RIDGE / (RIDGE + counts.getOrDefault(key, 0)));
            return mean + deviation * RandomStrategy.stream(salt, hash(key)).nextGaussian();
        };
        return config -> {
            double sum = 0;
            for (Map.Entry<String, ParameterValue> value : config.values().entrySet()) {
                Key key = new Key(value.getKey(), value.getValue());
                Double known = drawn.get(key);
                if (known == null) {
                    known = effect.applyAsDouble(key);
                    drawn.put(key, known);
                }
                sum += known;
            }
            return sum;
        };
    }

    /** The same on every machine, whatever was drawn before. */
    private static int hash(Key key) {
        return 31 * key.parameter().hashCode() + key.value().toString().hashCode();
    }
}
