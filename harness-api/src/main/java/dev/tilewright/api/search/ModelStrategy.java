package dev.tilewright.api.search;

import dev.tilewright.model.space.Config;
import dev.tilewright.space.SearchSpace;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Asks first for what the cost model predicts to be fast, and learns from what was measured where it is off.
 *
 * <p>Candidates are the best of every tile that the model knows of ({@link Candidates}), and whatever differs from one
 * of the fastest measured so far in a value or two. Each ask takes the candidate that is expected to improve most on
 * the fastest ({@link Expectation}). Every eighth ask is a random one, for what the model is blind to, and every ask is
 * where no candidate is left or the family has no model.
 */
public final class ModelStrategy implements SearchStrategy {

    private static final int RANDOM_EVERY = 8;
    private static final int FASTEST = 4;

    private static final int STUDIES_AT_A_TIME = 8;

    private final SearchStrategy random = new RandomStrategy();
    private final CandidateCache candidates = new CandidateCache(STUDIES_AT_A_TIME);

    @Override
    public String name() {
        return "model";
    }

    @Override
    public boolean learns() {
        return true;
    }

    @Override
    public List<Config> ask(SearchSpace space, History history, int count) {
        if (count < 1) {
            throw new IllegalArgumentException("count must be at least 1, got " + count);
        }
        Optional<Prediction> prediction = Prediction.of(space.family(), history.problem());
        if (prediction.isEmpty()) {
            return random.ask(space, history, count);
        }
        Ranking ranking = new Ranking(space, history, prediction.get(), candidates);
        List<Config> asks = new ArrayList<>();
        Set<Config> known = new HashSet<>(history.configs());
        while (asks.size() < count) {
            int turn = history.asked().size() + asks.size();
            Optional<Config> best = turn % RANDOM_EVERY == RANDOM_EVERY - 1 ? Optional.empty() : ranking.best(known);
            Optional<Config> next = best.or(
                    () -> random.ask(space, history.andAsked(asks), 1).stream().findFirst());
            if (next.isEmpty()) {
                break;
            }
            known.add(next.get());
            asks.add(next.get());
            ranking.asked(next.get());
        }
        return asks;
    }

    /** The candidates of one question, with what the history says of them. */
    private static final class Ranking {
        private final Expectation expectation;
        private final ToDoubleFunction<Config> wanted;
        private final List<Expectation.Candidate> candidates;

        Ranking(SearchSpace space, History history, Prediction prediction, CandidateCache cache) {
            ToDoubleFunction<Config> measured = switch (history.sought()) {
                case MEASURED -> prediction::screened;
                case SETTLED -> prediction::settled;
                case STEADY_STATE -> prediction::cycles;
            };
            ToDoubleFunction<Config> sought = switch (history.sought()) {
                case MEASURED -> prediction::screened;
                case SETTLED -> prediction::settled;
                case STEADY_STATE -> prediction::steady;
            };
            Map<Config, Double> ofAll = cache.of(space, history, sought);
            // Each config is looked at several times, and most of them at every ask.
            Map<Config, Double> predicted = new HashMap<>(ofAll);
            this.wanted = config -> predicted.computeIfAbsent(config, sought::applyAsDouble);
            this.expectation = new Expectation(space, history, measured, wanted);
            Set<Config> configs = new LinkedHashSet<>(ofAll.keySet());
            List<Config> byTime = byTime(history);
            List<Config> ofTiles = fastestOfTiles(byTime);
            Stream.concat(byTime.stream().limit(FASTEST), ofTiles.stream())
                    .distinct()
                    .forEach(fast -> configs.addAll(Candidates.around(space, fast, history.seed(), wanted)
                            .keySet()));
            Set<Tile> tiles =
                    ofAll.keySet().stream().map(Tile::of).collect(Collectors.toCollection(LinkedHashSet::new));
            ofTiles.forEach(fast -> configs.addAll(
                    Candidates.withOtherTiles(space, fast, tiles, wanted).keySet()));
            this.candidates = configs.stream().map(expectation::candidate).toList();
        }

        /** All that were measured, the fastest first. */
        private static List<Config> byTime(History history) {
            return history.asked().stream()
                    .filter(asked -> asked.speed() != null)
                    .sorted(Comparator.comparing(History.Asked::speed, Comparator.nullsLast(Comparator.reverseOrder())))
                    .map(History.Asked::config)
                    .toList();
        }

        /** The fastest config of each of the fastest few tiles. */
        private static List<Config> fastestOfTiles(List<Config> byTime) {
            Set<Tile> tiles = new HashSet<>();
            return byTime.stream()
                    .filter(config -> tiles.add(Tile.of(config)))
                    .limit(FASTEST)
                    .toList();
        }

        Optional<Config> best(Set<Config> known) {
            Expectation.Candidate best = null;
            double most = Double.NEGATIVE_INFINITY;
            for (Expectation.Candidate candidate : candidates) {
                double improvement = candidate.improvement();
                if (improvement > most && !known.contains(candidate.config())) {
                    most = improvement;
                    best = candidate;
                }
            }
            return Optional.ofNullable(best).map(Expectation.Candidate::config);
        }

        void asked(Config config) {
            if (Double.isFinite(wanted.applyAsDouble(config))) {
                expectation.pending(expectation.candidate(config));
            }
        }
    }
}
