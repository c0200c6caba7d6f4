package dev.tilewright.api.search;

import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.space.Parameter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Expected times of configs as logarithms: the model's prediction, and its error, which a Gaussian process learns from
 * a history. What has been asked and is not yet measured counts as if it had taken what was expected, so that the next
 * ask goes elsewhere.
 */
final class Surrogate {

    /**
     * The likeliest for the errors of the cost model in the studies of eleven shapes in {@code docs/results/h200}: an
     * effect of 1.5 % of each value, of 0.8 % of each pair of values, and 2 % that nothing explains.
     */
    private static final GaussianProcess.Prior PRIOR =
            new GaussianProcess.Prior(0.01, 0.015 * 0.015, 0.008 * 0.008, 0.02 * 0.02);

    /** A config that cannot run counts as so much slower, so that others like it come later. */
    private static final double FAILED = 0.4;

    /**
     * The most configs of a long history that are learned from, of those with a time and of those that failed. Of those
     * with a time it is the fastest: they are like what is still to be asked.
     */
    private static final int MAX_LEARNED = 256;

    /** A config with what is known of it. */
    final class Candidate {
        private final Config config;
        private final double predicted;
        private final GaussianProcess.Point error;

        private Candidate(Config config, double predicted) {
            this.config = config;
            this.predicted = predicted;
            this.error = errors.point(config);
        }

        Config config() {
            return config;
        }

        double expected() {
            return predicted + error.mean();
        }

        /**
         * By how much it is expected to be faster than the fastest so far, slower ones counting as not faster (expected
         * improvement). With nothing measured nor under way, what is predicted decides.
         */
        double improvement() {
            if (Double.isInfinite(least)) {
                return -expected();
            }
            double deviation = error.deviation();
            double gain = least - expected();
            if (deviation < 1e-9) {
                return Math.max(0, gain);
            }
            double z = gain / deviation;
            double density = StrictMath.exp(-z * z / 2) / Math.sqrt(2 * Math.PI);
            return gain * below(z) + deviation * density;
        }
    }

    private record Seen(Config config, double predicted, double error) {
        double time() {
            return predicted + error;
        }
    }

    private final GaussianProcess errors;
    private final ToDoubleFunction<Config> wanted;
    private double least = Double.POSITIVE_INFINITY;

    /**
     * Both predictions are logarithms of times in one unit, infinite where there is none.
     *
     * @param measured of what trials measure: from it the error of the model is learned
     * @param wanted of what is sought, off by the same error
     */
    Surrogate(
            List<Parameter> parameters,
            History history,
            ToDoubleFunction<Config> measured,
            ToDoubleFunction<Config> wanted) {
        this.wanted = wanted;
        this.errors = new GaussianProcess(
                PRIOR,
                parameters.stream()
                        .filter(parameter -> parameter.values().size() > 1)
                        .map(Parameter::name)
                        .toList());
        List<Seen> timed = timed(history, measured);
        double bias = timed.stream().mapToDouble(Seen::error).average().orElse(0);
        timed.stream()
                .map(seen -> new Seen(seen.config(), seen.predicted(), seen.error() - bias))
                .sorted(Comparator.comparingDouble(Seen::time))
                .limit(MAX_LEARNED)
                .forEach(seen -> {
                    errors.observe(seen.config(), seen.error());
                    least = Math.min(least, seen.time());
                });
        history.asked().stream()
                .filter(asked -> isFailure(asked.outcome()) && isPredicted(asked.config()))
                .limit(MAX_LEARNED)
                .forEach(asked -> errors.observe(asked.config(), FAILED));
        history.asked().stream()
                .filter(asked -> asked.outcome() == null && isPredicted(asked.config()))
                .forEach(asked -> pending(candidate(asked.config())));
    }

    private boolean isPredicted(Config config) {
        return Double.isFinite(wanted.applyAsDouble(config));
    }

    private List<Seen> timed(History history, ToDoubleFunction<Config> measured) {
        List<Seen> seen = new ArrayList<>();
        for (History.Asked asked : history.asked()) {
            Double speed = asked.speed();
            if (speed != null && isPredicted(asked.config())) {
                // Whatever the unit of speed: what all errors have in common is taken off.
                double error = -StrictMath.log(speed) - measured.applyAsDouble(asked.config());
                seen.add(new Seen(asked.config(), wanted.applyAsDouble(asked.config()), error));
            }
        }
        return seen;
    }

    /** Whether the config is to blame. */
    private static boolean isFailure(@Nullable TrialOutcome outcome) {
        return switch (outcome) {
            case BUILD, COMPILE, SPILL, LAUNCH, TIMEOUT, CRASH, MISMATCH, HAZARD, PRUNED -> true;
            case COMPLETED, UNASSEMBLED, NOISE, IMPLAUSIBLE, QUARANTINED, CANCELLED, INFRASTRUCTURE -> false;
            case null -> false;
        };
    }

    /** @param config one with a prediction */
    Candidate candidate(Config config) {
        return new Candidate(config, wanted.applyAsDouble(config));
    }

    /** It was asked. */
    void pending(Candidate candidate) {
        least = Math.min(least, candidate.expected());
        errors.observe(candidate.error, candidate.error.mean());
    }

    /** Probability that a normal quantity is below z (Abramowitz and Stegun 26.2.17, to 1e-7). */
    private static double below(double z) {
        double t = 1 / (1 + 0.2316419 * Math.abs(z));
        double tail = StrictMath.exp(-z * z / 2)
                / Math.sqrt(2 * Math.PI)
                * t
                * (0.319381530 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))));
        return z > 0 ? 1 - tail : tail;
    }
}
