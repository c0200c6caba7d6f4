package dev.tilewright.api.study.flow;

import dev.tilewright.api.search.History;
import dev.tilewright.api.search.SearchAnswer;
import dev.tilewright.api.study.FinalRepository;
import dev.tilewright.api.study.StudyRow;
import dev.tilewright.api.study.SweepRepository;
import dev.tilewright.api.trial.TallyRepository;
import dev.tilewright.model.exchange.StudyStage;
import dev.tilewright.model.exchange.TrialCounts;
import dev.tilewright.model.exchange.Work;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.TestbedKind;
import java.time.Clock;
import java.util.List;
import org.springframework.stereotype.Service;

/** What a study needs next. It reads a snapshot and asks, and holds neither a connection nor a lock while it thinks. */
@Service
record Decision(
        Search search,
        Contenders contenders,
        TallyRepository tallies,
        FinalRepository finals,
        Asks asks,
        SweepRepository sweeps,
        Clock clock) {

    /** With so few open the best is as good as known, and what is open lasts until more is built and assembled. */
    private static final int FEW_OPEN = 8;

    /** The next step of a running study. */
    Step of(StudyRow study) throws InterruptedException {
        try {
            TrialCounts counts = tallies.counts(study.id());
            if (study.isOutOfTime(clock.instant()) && (!study.exhausted() || counts.queued() > 0)) {
                return new Step.Stop("the " + study.options().budget().seconds() + " s of the budget were over");
            }
            if (!study.exhausted()) {
                return ask(study, counts);
            }
            return counts.open() > 0 ? new Step.Wait() : conclude(study);
        } catch (Asks.NoAnswer none) {
            return new Step.Fail(String.valueOf(none.getMessage()));
        }
    }

    private Step ask(StudyRow study, TrialCounts counts) throws Asks.NoAnswer, InterruptedException {
        int wanted = search.wanted(study, counts);
        if (wanted == 0 && counts.open() > (search.left(study, counts) > 0 ? 0 : FEW_OPEN)) {
            // Workers have enough to go on with: nobody reads a long history for that.
            return new Step.Wait();
        }
        History history = search.history(study);
        if (wanted > 0) {
            Asked.Answered<SearchAnswer> answered = answer(study, history, wanted);
            SearchAnswer answer = answered.answer();
            if (!answer.configs().isEmpty() && isWorthIt(study, counts, answer.gain())) {
                return new Step.Queue(answer.configs(), answered.asked(), false);
            }
        }
        return counts.open() > FEW_OPEN ? new Step.Wait() : last(study, history, counts);
    }

    /**
     * What tile schedulers lack of their share, and the twins of the best so far, while the last few trials are open
     * still: a GPU waits for neither. Where one of these is better, its twins follow. The search has what the shares
     * leave, and the rest of a number of trials.
     */
    private Step last(StudyRow study, History history, TrialCounts counts) throws Asks.NoAnswer, InterruptedException {
        int left = study.spending().mostTrials() - counts.total();
        if (left > 0) {
            Asked.Answered<List<Config>> shares =
                    asks.ask(Asks.About.SHARES, "the search for shares", () -> search.shares(study, history));
            if (!shares.answer().isEmpty()) {
                return new Step.Queue(shares.answer().stream().limit(left).toList(), shares.asked(), false);
            }
            int more = search.leftWithShares(study, counts);
            if (more > 0 && study.options().budget().trials() != null) {
                Asked.Answered<SearchAnswer> answered = answer(study, history, more);
                if (!answered.answer().configs().isEmpty()) {
                    return new Step.Queue(answered.answer().configs(), answered.asked(), false);
                }
            }
            Asked.Answered<List<Config>> twins =
                    asks.ask(Asks.About.TWINS, "the search for twins", () -> search.twins(study, history));
            if (!twins.answer().isEmpty()) {
                return new Step.Queue(twins.answer().stream().limit(left).toList(), twins.asked(), false);
            }
            if (study.options().budget().trials() != null && search.knowsBest(study, history)) {
                Asked.Answered<SearchAnswer> answered = answer(study, history, left);
                List<Config> rest = answered.answer().configs();
                // A strategy may wait for what is open before it says more.
                return rest.isEmpty() && counts.open() > 0
                        ? new Step.Wait()
                        : new Step.Queue(rest, answered.asked(), true);
            }
        }
        return counts.open() > 0 ? new Step.Wait() : new Step.Queue(List.of(), null, true);
    }

    private boolean isWorthIt(StudyRow study, TrialCounts counts, double gain) {
        return study.spending().isWorthIt(counts.completed(), counts.open(), sweeps.spent(study.id()), gain);
    }

    private Asked.Answered<SearchAnswer> answer(StudyRow study, History history, int count)
            throws Asks.NoAnswer, InterruptedException {
        return asks.ask(
                history.asked().isEmpty() ? Asks.About.FIRST : Asks.About.NEXT,
                "strategy '" + study.options().strategy() + "'",
                () -> search.ask(study, history, count));
    }

    private Step conclude(StudyRow study) throws Asks.NoAnswer, InterruptedException {
        if (study.bound().testbed().kind() != TestbedKind.CUDA
                || study.options().budget().finalists() == 0) {
            return new Step.End();
        }
        if (finals.stage(study.id()) != StudyStage.SWEEP) {
            return new Step.Wait();
        }
        Asked.Answered<List<Work.Contender>> best =
                asks.ask(Asks.About.CONTENDERS, "the choice of contenders", () -> contenders.of(study));
        return best.answer().isEmpty() ? new Step.End() : new Step.Race(best.answer(), best.asked());
    }
}
