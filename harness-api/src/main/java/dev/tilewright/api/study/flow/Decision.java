package dev.tilewright.api.study.flow;

import dev.tilewright.api.search.History;
import dev.tilewright.api.search.SearchAnswer;
import dev.tilewright.api.study.StudyRow;
import dev.tilewright.model.exchange.StudyStage;
import dev.tilewright.model.exchange.TrialCounts;
import dev.tilewright.model.exchange.Work;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.TestbedKind;
import dev.tilewright.model.trial.TrialOutcome;
import java.util.List;
import org.springframework.stereotype.Component;

/**
 * The next step of a study, decided from a snapshot alone: it reaches no repository, and holds neither a connection nor
 * a lock while it thinks.
 */
@Component
record Decision(Search search, Contenders contenders, Asks asks) {

    /** With so few open the best is as good as known, and what is open lasts until more is built and assembled. */
    private static final int FEW_OPEN = 8;

    /** The part of a snapshot that a decision needs beside the study and its counts. */
    enum Needs {
        NOTHING_MORE,
        /** The history of a study: the configs asked for so far, with their times. */
        HISTORY,
        /** The screens of what completed. */
        SCREENS
    }

    /**
     * The parts of a snapshot that must be read before the study is decided on. The given snapshot has only the study
     * and its counts.
     */
    Needs needs(StudySnapshot known) {
        if (isStopped(known) || waits(known)) {
            return Needs.NOTHING_MORE;
        }
        if (known.study().exhausted()) {
            return hasFinal(known.study()) ? Needs.SCREENS : Needs.NOTHING_MORE;
        }
        return Needs.HISTORY;
    }

    /** Whether a running study needs no step now. The given snapshot has only the study and its counts. */
    boolean waits(StudySnapshot known) {
        return !isStopped(known) && (known.study().exhausted() ? known.counts().open() > 0 : hasEnough(known));
    }

    /** The next step of a running study. */
    Step of(StudySnapshot snapshot) throws InterruptedException {
        StudyRow study = snapshot.study();
        try {
            if (isStopped(snapshot)) {
                return new Step.Stop("the " + study.options().budget().seconds() + " s of the budget were over");
            }
            if (waits(snapshot)) {
                return new Step.Wait();
            }
            return study.exhausted() ? conclude(snapshot) : ask(snapshot);
        } catch (Asks.NoAnswer none) {
            return new Step.Fail(String.valueOf(none.getMessage()));
        }
    }

    private static boolean isStopped(StudySnapshot snapshot) {
        return snapshot.isOutOfTime()
                && (!snapshot.study().exhausted() || snapshot.counts().queued() > 0);
    }

    /** Workers have enough to go on with: nobody reads a long history for that. */
    private boolean hasEnough(StudySnapshot snapshot) {
        return search.wanted(snapshot) == 0 && snapshot.counts().open() > (search.left(snapshot) > 0 ? 0 : FEW_OPEN);
    }

    private static boolean hasFinal(StudyRow study) {
        return study.bound().testbed().kind() == TestbedKind.CUDA
                && study.options().budget().finalists() > 0;
    }

    private Step ask(StudySnapshot snapshot) throws Asks.NoAnswer, InterruptedException {
        if (isDisturbed(snapshot)) {
            return whenNoneIsOpen(snapshot.counts());
        }
        History history = search.history(snapshot);
        List<Config> listed = search.listed(snapshot, history);
        if (!listed.isEmpty()) {
            return new Step.Queue(listed, null, false);
        }
        if (snapshot.study().options().comparesSchedulers()) {
            return askForEachScheduler(snapshot, history);
        }
        int wanted = search.wanted(snapshot);
        if (wanted > 0) {
            Asked.Answered<SearchAnswer> answered = answer(snapshot, history, wanted);
            SearchAnswer answer = answered.answer();
            if (!answer.configs().isEmpty() && isWorthIt(snapshot, answer.gain())) {
                return new Step.Queue(answer.configs(), answered.asked(), false);
            }
        }
        return snapshot.counts().open() > FEW_OPEN ? new Step.Wait() : last(snapshot, history);
    }

    /** Until each has its share, or as much of a GPU's time as a study takes by itself is spent. */
    private Step askForEachScheduler(StudySnapshot snapshot, History history)
            throws Asks.NoAnswer, InterruptedException {
        int left = search.left(snapshot);
        if (left > 0 && isWorthIt(snapshot, 1)) {
            Asked.Answered<List<Config>> answered = asks.ask(
                    Asks.About.SHARES,
                    "the search for each scheduler",
                    () -> search.ofEachScheduler(snapshot, history));
            if (!answered.answer().isEmpty()) {
                return new Step.Queue(answered.answer().stream().limit(left).toList(), answered.asked(), false);
            }
        }
        return whenNoneIsOpen(snapshot.counts());
    }

    /**
     * The last trials of a sweep: the configs that tile schedulers lack of their share, then the twins of the best so
     * far. They are queued while the last few trials are open still, so that a GPU need not wait. If a twin is better,
     * its own twins follow. The search gets the trials that the shares leave.
     */
    private Step last(StudySnapshot snapshot, History history) throws Asks.NoAnswer, InterruptedException {
        StudyRow study = snapshot.study();
        TrialCounts counts = snapshot.counts();
        int left = study.spending().mostTrials() - counts.total();
        if (left > 0) {
            Asked.Answered<List<Config>> shares =
                    asks.ask(Asks.About.SHARES, "the search for shares", () -> search.shares(snapshot, history));
            if (!shares.answer().isEmpty()) {
                return new Step.Queue(shares.answer().stream().limit(left).toList(), shares.asked(), false);
            }
            int more = search.leftWithShares(snapshot);
            if (more > 0 && study.options().budget().trials() != null) {
                Asked.Answered<SearchAnswer> answered = answer(snapshot, history, more);
                if (!answered.answer().configs().isEmpty()) {
                    return new Step.Queue(answered.answer().configs(), answered.asked(), false);
                }
            }
            int inTime =
                    Math.min(left, study.spending().twinsInTime(counts.completed(), counts.open(), snapshot.spent()));
            if (inTime > 0) {
                Asked.Answered<List<Config>> twins =
                        asks.ask(Asks.About.TWINS, "the search for twins", () -> search.twins(snapshot, history));
                if (!twins.answer().isEmpty()) {
                    return new Step.Queue(twins.answer().stream().limit(inTime).toList(), twins.asked(), false);
                }
            }
            if (study.options().budget().trials() != null && search.knowsBest(snapshot, history)) {
                Asked.Answered<SearchAnswer> answered = answer(snapshot, history, left);
                List<Config> rest = answered.answer().configs();
                // A strategy may wait for what is open before it says more.
                return rest.isEmpty() && counts.open() > 0
                        ? new Step.Wait()
                        : new Step.Queue(rest, answered.asked(), true);
            }
        }
        return whenNoneIsOpen(counts);
    }

    /** The end of the sweep, once the trials that are open are over. */
    private static Step whenNoneIsOpen(TrialCounts counts) {
        return counts.open() > 0 ? new Step.Wait() : new Step.Queue(List.of(), null, true);
    }

    private static boolean isDisturbed(StudySnapshot snapshot) {
        int noise = (int) snapshot.seen().stream()
                .filter(trial -> trial.outcome() == TrialOutcome.NOISE)
                .count();
        return snapshot.study().spending().givesUp(snapshot.counts().finished(), noise);
    }

    private static boolean isWorthIt(StudySnapshot snapshot, double gain) {
        TrialCounts counts = snapshot.counts();
        return snapshot.study().spending().isWorthIt(counts.completed(), counts.open(), snapshot.spent(), gain);
    }

    private Asked.Answered<SearchAnswer> answer(StudySnapshot snapshot, History history, int count)
            throws Asks.NoAnswer, InterruptedException {
        return asks.ask(
                history.asked().isEmpty() ? Asks.About.FIRST : Asks.About.NEXT,
                "strategy '" + snapshot.study().options().strategy() + "'",
                () -> search.ask(snapshot, history, count));
    }

    private Step conclude(StudySnapshot snapshot) throws Asks.NoAnswer, InterruptedException {
        if (!hasFinal(snapshot.study())) {
            return new Step.End();
        }
        if (snapshot.stage() != StudyStage.SWEEP) {
            return new Step.Wait();
        }
        Asked.Answered<List<Work.Contender>> best =
                asks.ask(Asks.About.CONTENDERS, "the choice of contenders", () -> contenders.of(snapshot));
        return best.answer().isEmpty() ? new Step.End() : new Step.Race(best.answer(), best.asked());
    }
}
