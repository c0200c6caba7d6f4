package dev.tilewright.api.search;

import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.SearchSpace;
import dev.tilewright.simulator.CostModel;
import dev.tilewright.simulator.SimulatedGpus;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.random.RandomGenerator;

/**
 * Asks first for what the cost model predicts to be fast, and learns from what was measured by how much each parameter
 * value is better or worse than predicted.
 *
 * <p>Candidates are drawn from the space without walking it, and the best of them moved to better neighbours
 * ({@link Candidates}). Each ask takes the candidate with the least predicted time, corrected by the effects of its
 * values ({@link Effects}). What is not known of the effects is drawn anew for each ask, so that configs which are
 * about as good come up in turn, whatever their values, instead of one family of them first; the very first ask takes
 * the prediction as it is. Every fourth ask is a random one, for what the model is blind to, and every ask is where no
 * candidate is left or the family has no model.
 */
public final class ModelStrategy implements SearchStrategy {

    private static final String HOPPER = "sm90-gemm";
    private static final int RANDOM_EVERY = 4;

    private static final int STUDIES_AT_A_TIME = 8;

    private final SearchStrategy random = new RandomStrategy();
    private final CandidateCache candidates = new CandidateCache(STUDIES_AT_A_TIME);

    @Override
    public String name() {
        return "model";
    }

    @Override
    public List<Config> ask(SearchSpace space, History history, int count) {
        if (count < 1) {
            throw new IllegalArgumentException("count must be at least 1, got " + count);
        }
        if (!space.family().equals(HOPPER)) {
            return random.ask(space, history, count);
        }
        Ranking ranking = new Ranking(space, history, candidates);
        List<Config> asks = new ArrayList<>();
        Set<Config> known = new HashSet<>(history.configs());
        while (asks.size() < count) {
            int turn = history.asked().size() + asks.size();
            Optional<Config> best =
                    turn % RANDOM_EVERY == RANDOM_EVERY - 1 ? Optional.empty() : ranking.best(known, turn);
            Optional<Config> next = best.or(
                    () -> random.ask(space, history.andAsked(asks), 1).stream().findFirst());
            if (next.isEmpty()) {
                break;
            }
            known.add(next.get());
            asks.add(next.get());
        }
        return asks;
    }

    /** The candidates of one question, with what the history says of them. */
    private static final class Ranking {
        private final long seed;
        private final Map<Config, Double> logTimes;
        private final Effects effects;

        Ranking(SearchSpace space, History history, CandidateCache cache) {
            this.seed = history.seed();
            Problem problem = history.problem();
            CostModel model = CostModel.of(SimulatedGpus.H200);
            ToDoubleFunction<Config> logTime = config -> logTime(model, problem, config);
            this.effects = Effects.of(history, logTime);
            this.logTimes = new LinkedHashMap<>(cache.of(space, problem, seed, logTime));
            fastest(history).ifPresent(config -> logTimes.putAll(Candidates.around(space, config, logTime)));
        }

        /** A screen is what most of the history measured, and what the next ask will be measured by. */
        private static double logTime(CostModel model, Problem problem, Config config) {
            try {
                return StrictMath.log(model.screened(problem, config).ns());
            } catch (IllegalArgumentException beyondTheModel) {
                return Double.POSITIVE_INFINITY;
            }
        }

        private static Optional<Config> fastest(History history) {
            History.Asked best = null;
            double most = 0;
            for (History.Asked asked : history.asked()) {
                Double tflops = asked.tflops();
                if (tflops != null && tflops > most) {
                    best = asked;
                    most = tflops;
                }
            }
            return Optional.ofNullable(best).map(History.Asked::config);
        }

        Optional<Config> best(Set<Config> known, int turn) {
            ToDoubleFunction<Config> effect = effects.drawn(turn == 0 ? Optional.empty() : Optional.of(stream(turn)));
            Config best = null;
            double least = Double.POSITIVE_INFINITY;
            for (Map.Entry<Config, Double> candidate : logTimes.entrySet()) {
                double expected = candidate.getValue() + effect.applyAsDouble(candidate.getKey());
                if (expected < least && !known.contains(candidate.getKey())) {
                    least = expected;
                    best = candidate.getKey();
                }
            }
            return Optional.ofNullable(best);
        }

        private RandomGenerator stream(int turn) {
            return RandomStrategy.stream(~seed, turn);
        }
    }
}
