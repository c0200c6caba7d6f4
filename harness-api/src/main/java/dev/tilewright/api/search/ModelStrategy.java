package dev.tilewright.api.search;

import dev.tilewright.model.space.Config;
import dev.tilewright.space.Candidates;
import dev.tilewright.space.SpaceTree;
import dev.tilewright.space.Tile;
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
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/**
 * Asks first for what the model of the GPU predicts to be fast, and learns from what was measured where it is off.
 *
 * <p>Candidates are the best of every tile that the model knows of ({@link Candidates}), and whatever differs from one
 * of the fastest measured so far in one value. Each ask takes the candidate that is expected to improve most on the
 * fastest ({@link Surrogate}). Every eighth ask is a random one, for what the model is blind to, and every ask is where
 * no candidate is left. Where there is no model, it asks for what the family knows to be promising, then for random
 * ones.
 */
@Component
public final class ModelStrategy implements SearchStrategy {

    private static final int RANDOM_EVERY = 8;
    private static final int FASTEST = 4;

    private static final int STUDIES_AT_A_TIME = 8;

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
    public void prepare(SearchQuestion first) {
        first.knowledge()
                .prediction()
                .filter(model -> !first.space().isEmpty())
                .ifPresent(model -> candidates(first, sought(first.history().sought(), model)));
    }

    private Map<Config, Double> candidates(SearchQuestion question, ToDoubleFunction<Config> sought) {
        return candidates.of(question.space(), question.knowledge(), question.history(), sought);
    }

    private static ToDoubleFunction<Config> sought(History.Sought sought, Prediction prediction) {
        return switch (sought) {
            case MEASURED -> prediction::screened;
            case SETTLED -> prediction::settled;
            case STEADY_STATE -> prediction::steady;
        };
    }

    @Override
    public SearchAnswer ask(SearchQuestion question) {
        Optional<Prediction> prediction = question.knowledge().prediction();
        if (prediction.isEmpty() || question.space().isEmpty()) {
            return new SearchAnswer(withoutModel(question), Double.POSITIVE_INFINITY);
        }
        History history = question.history();
        ToDoubleFunction<Config> sought = sought(history.sought(), prediction.get());
        Ranking ranking = new Ranking(question, prediction.get(), sought, candidates(question, sought));
        List<Config> asks = new ArrayList<>();
        Set<Config> known = new HashSet<>(history.configs());
        double gain = ranking.gain(known);
        while (asks.size() < question.count()) {
            int number = history.asked().size() + asks.size();
            Optional<Config> best = number % RANDOM_EVERY == RANDOM_EVERY - 1 ? Optional.empty() : ranking.best(known);
            Optional<Config> next =
                    best.or(() -> RandomStrategy.asks(question.space(), history.andAsked(asks), 1).stream()
                            .findFirst());
            if (next.isEmpty()) {
                break;
            }
            known.add(next.get());
            asks.add(next.get());
            ranking.asked(next.get());
        }
        return new SearchAnswer(asks, gain);
    }

    /** The promising configs of the family, then random ones. */
    private static List<Config> withoutModel(SearchQuestion question) {
        SpaceTree space = question.space();
        History history = question.history();
        Set<Config> known = history.configs();
        List<Config> asks = question.knowledge()
                .promising()
                .inOrder(history.seed())
                .filter(config -> !known.contains(config) && space.contains(config))
                .limit(question.count())
                .toList();
        int more = question.count() - asks.size();
        return more == 0
                ? asks
                : Stream.concat(asks.stream(), RandomStrategy.asks(space, history.andAsked(asks), more).stream())
                        .toList();
    }

    /** The candidates of one question, with what the history says of them. */
    private static final class Ranking {
        private final Surrogate surrogate;
        private final ToDoubleFunction<Config> wanted;
        private final List<Surrogate.Candidate> candidates;
        private final boolean measured;

        Ranking(
                SearchQuestion question,
                Prediction prediction,
                ToDoubleFunction<Config> sought,
                Map<Config, Double> ofAll) {
            History history = question.history();
            SpaceTree space = question.space();
            List<String> tile = question.knowledge().tile();
            ToDoubleFunction<Config> seen = switch (history.sought()) {
                case MEASURED -> prediction::screened;
                case SETTLED -> prediction::settled;
                case STEADY_STATE -> prediction::cycles;
            };
            // Each config is looked at several times, and most of them at every ask.
            Map<Config, Double> predicted = new HashMap<>(ofAll);
            this.wanted = config -> predicted.computeIfAbsent(config, sought::applyAsDouble);
            this.surrogate = new Surrogate(space.order(), history, seen, wanted);
            Set<Config> configs = new LinkedHashSet<>(ofAll.keySet());
            List<Config> byTime = byTime(history);
            this.measured = !byTime.isEmpty();
            List<Config> fast = Stream.concat(byTime.stream().limit(FASTEST), fastestOfTiles(tile, byTime))
                    .distinct()
                    .toList();
            configs.addAll(Candidates.around(space, fast));
            this.candidates = configs.stream()
                    .filter(config -> Double.isFinite(wanted.applyAsDouble(config)))
                    .map(surrogate::candidate)
                    .toList();
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
        private static Stream<Config> fastestOfTiles(List<String> tile, List<Config> byTime) {
            Set<Tile> tiles = new HashSet<>();
            return byTime.stream()
                    .filter(config -> tiles.add(Tile.of(tile, config)))
                    .limit(FASTEST);
        }

        /** The expected gain of the best candidate; infinite before the first measurement. */
        double gain(Set<Config> known) {
            Surrogate.Candidate best = bestCandidate(known);
            return measured && best != null ? best.improvement() : Double.POSITIVE_INFINITY;
        }

        Optional<Config> best(Set<Config> known) {
            return Optional.ofNullable(bestCandidate(known)).map(Surrogate.Candidate::config);
        }

        private Surrogate.@Nullable Candidate bestCandidate(Set<Config> known) {
            // On all cores: to be brought up to date, a candidate writes nothing but its own.
            double[] improvements = candidates.parallelStream()
                    .mapToDouble(Surrogate.Candidate::improvement)
                    .toArray();
            Surrogate.Candidate best = null;
            double most = Double.NEGATIVE_INFINITY;
            for (int i = 0; i < improvements.length; i++) {
                Surrogate.Candidate candidate = candidates.get(i);
                if (improvements[i] > most && !known.contains(candidate.config())) {
                    most = improvements[i];
                    best = candidate;
                }
            }
            return best;
        }

        void asked(Config config) {
            if (Double.isFinite(wanted.applyAsDouble(config))) {
                surrogate.pending(surrogate.candidate(config));
            }
        }
    }
}
