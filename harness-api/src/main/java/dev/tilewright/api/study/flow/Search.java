package dev.tilewright.api.study.flow;

import dev.tilewright.api.search.History;
import dev.tilewright.api.search.SearchAnswer;
import dev.tilewright.api.search.SearchQuestion;
import dev.tilewright.api.search.SearchStrategy;
import dev.tilewright.api.search.Strategies;
import dev.tilewright.api.study.SpaceTrees;
import dev.tilewright.api.study.StudyRow;
import dev.tilewright.api.trial.ScreenScale;
import dev.tilewright.api.trial.TrialRepository;
import dev.tilewright.model.exchange.TrialCounts;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.TestbedKind;
import dev.tilewright.space.SpaceTree;
import dev.tilewright.space.parameter.Scheduler;
import dev.tilewright.space.ranking.FairShare;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.springframework.stereotype.Component;

/**
 * Puts the question of a study to its strategy: how much to ask for, what is known, and what may be answered. It knows
 * snapshots alone and reaches no repository.
 */
@Component
record Search(SpaceTrees trees, Strategies strategies) {

    /** Configs that are open at a time, at the least, so that a worker can assemble while it times. */
    private static final int OPEN = 32;

    /** Nobody knows how long a trial takes before so many are over: only the least is open until then. */
    private static final int FIRST = 8;

    /** A question is put when there is room for this part of what is open: what is queued outlasts the answer. */
    private static final int LOTS = 4;

    /** At most one trial of so many is kept for a twin. */
    private static final int FEW_OF = 4;

    /** At most one trial of so many is kept for whatever follows the search. */
    private static final int HALF_OF = 2;

    /** The configs that are tried before the strategy is asked, and have not been tried yet. */
    List<Config> listed(StudySnapshot snapshot, History history) {
        Set<Config> known = history.configs();
        return snapshot.study().options().configs().stream()
                .filter(config -> !known.contains(config))
                .toList();
    }

    /** How many configs a study wants now; 0 while workers have enough to go on with. */
    int wanted(StudySnapshot snapshot) {
        TrialCounts counts = snapshot.counts();
        int most = counts.finished() < FIRST ? OPEN : Math.max(OPEN, 2 * counts.leased());
        int room = most - counts.open();
        int left = left(snapshot);
        // Asked for in lots: a question costs the same whether it is for one or for many.
        return left <= 0 || room < Math.min(left, most / LOTS) ? 0 : Math.min(left, room);
    }

    /**
     * How many configs the search may still ask for, before it is known whom it did not ask for: the last of a budget
     * are for the shares of the tile schedulers and for the twins of the best.
     */
    int left(StudySnapshot snapshot) {
        int most = snapshot.study().spending().mostTrials();
        if (snapshot.study().options().comparesSchedulers()) {
            return most - snapshot.counts().total();
        }
        int kept = keptForTwins(snapshot) + twins(snapshot) * FairShare.of(most);
        return most - Math.min(kept, most / HALF_OF) - snapshot.counts().total();
    }

    /** The same where each tile scheduler has its share. */
    int leftWithShares(StudySnapshot snapshot) {
        return snapshot.study().spending().mostTrials()
                - keptForTwins(snapshot)
                - snapshot.counts().total();
    }

    /** Twice their number: a trial that comes back late may be better than the one whose twins were asked for. */
    private int keptForTwins(StudySnapshot snapshot) {
        return Math.min(2 * twins(snapshot), snapshot.study().spending().mostTrials() / FEW_OF);
    }

    /**
     * The configs that each tile scheduler still lacks of its share of the trials: its best configs by the model and by
     * the times that the study measured. A space with one scheduler lacks none.
     */
    List<Config> shares(StudySnapshot snapshot, History history) {
        if (twins(snapshot) == 0) {
            return List.of();
        }
        Integer trials = snapshot.study().options().budget().trials();
        return lacking(
                snapshot,
                history,
                FairShare.of(Math.max(history.asked().size(), trials == null ? 0 : trials)),
                Integer.MAX_VALUE);
    }

    /** The next configs of a study whose tile schedulers are tuned on their own: as many for each, by its own times. */
    List<Config> ofEachScheduler(StudySnapshot snapshot, History history) {
        int parts = tree(snapshot).parts(Scheduler.KEY.name()).size();
        int share = Math.ceilDiv(snapshot.study().spending().mostTrials(), parts);
        return lacking(snapshot, history, share, Math.ceilDiv(Math.max(1, wanted(snapshot)), parts));
    }

    /**
     * The configs that tile schedulers lack.
     *
     * @param share trials that each of them has in the end
     * @param most configs of each of them at a time
     */
    private List<Config> lacking(StudySnapshot snapshot, History history, int share, int most) {
        List<Config> lacking = new ArrayList<>();
        for (SpaceTree part : tree(snapshot).parts(Scheduler.KEY.name())) {
            History own = history.with(history.asked().stream()
                    .filter(asked -> part.contains(asked.config()))
                    .toList());
            int missing = Math.min(most, share - own.asked().size());
            if (missing > 0 && !part.isEmpty()) {
                lacking.addAll(ask(snapshot, part, own, missing).configs());
            }
        }
        return lacking;
    }

    /** Twins that a config may have; a strategy that does not learn looks for no best. */
    private int twins(StudySnapshot snapshot) {
        return strategies.named(snapshot.study().options().strategy()).learns()
                ? tree(snapshot).parts(Scheduler.KEY.name()).size() - 1
                : 0;
    }

    /**
     * The twins of the best config so far that were not asked for yet: they say what the tile scheduler itself is
     * worth.
     *
     * @return none before anything was measured
     */
    List<Config> twins(StudySnapshot snapshot, History history) {
        Set<Config> known = history.configs();
        return best(history).map(best -> twins(snapshot, best)).orElse(List.of()).stream()
                .filter(twin -> !known.contains(twin))
                .toList();
    }

    /** Whether nothing that is open can change of which config the twins are wanted. */
    boolean knowsBest(StudySnapshot snapshot, History history) {
        List<Config> open = history.asked().stream()
                .filter(asked -> asked.outcome() == null)
                .map(History.Asked::config)
                .toList();
        return open.isEmpty()
                || best(history)
                        .map(best -> twins(snapshot, best).containsAll(open))
                        .orElse(false);
    }

    private static Optional<Config> best(History history) {
        return history.asked().stream()
                .filter(asked -> asked.speed() != null)
                .max(Comparator.comparing(History.Asked::speed, Comparator.nullsFirst(Comparator.naturalOrder())))
                .map(History.Asked::config);
    }

    private List<Config> twins(StudySnapshot snapshot, Config config) {
        return snapshot.family().twins(tree(snapshot), config);
    }

    private SpaceTree tree(StudySnapshot snapshot) {
        StudyRow study = snapshot.study();
        return trees.tree(
                study.problem(),
                snapshot.family(),
                study.options().restriction(),
                study.bound().testbed().smCount());
    }

    /** The trials of the study, as strategies see them. */
    History history(StudySnapshot snapshot) {
        StudyRow study = snapshot.study();
        List<TrialRepository.Seen> seen = snapshot.seen();
        TestbedKind kind = study.bound().testbed().kind();
        ScreenScale scale = kind == TestbedKind.CUDA
                ? ScreenScale.of(seen.stream()
                        .flatMap(trial -> Optional.ofNullable(trial.screen()).stream())
                        .toList())
                : ScreenScale.TIME;
        return new History(
                study.problem(),
                study.options().seed(),
                History.Sought.on(kind),
                seen.stream()
                        .map(trial -> new History.Asked(
                                trial.config(),
                                trial.outcome(),
                                trial.screen() == null ? null : 1 / scale.time(trial.screen())))
                        .toList());
    }

    /**
     * Asks the strategy.
     *
     * @throws IllegalStateException if it answers what it may not
     */
    SearchAnswer ask(StudySnapshot snapshot, History history, int count) {
        return ask(snapshot, tree(snapshot), history, count);
    }

    private SearchAnswer ask(StudySnapshot snapshot, SpaceTree space, History history, int count) {
        StudyRow study = snapshot.study();
        SearchStrategy strategy = strategies.named(study.options().strategy());
        SearchAnswer answer = strategy.ask(new SearchQuestion(
                space,
                trees.knowledge(
                        study.problem(), snapshot.family(), study.bound().testbed()),
                history,
                count));
        Set<Config> known = new HashSet<>(history.configs());
        for (Config config : answer.configs()) {
            if (!known.add(config)) {
                throw new IllegalStateException("it asked twice for " + config);
            }
            if (!space.contains(config)) {
                throw new IllegalStateException("it asked for what the space does not have: " + config);
            }
        }
        if (answer.configs().size() > count) {
            throw new IllegalStateException(
                    "it asked for " + answer.configs().size() + " configs where " + count + " were wanted");
        }
        return answer;
    }
}
