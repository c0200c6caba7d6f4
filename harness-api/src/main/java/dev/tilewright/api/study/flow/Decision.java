package dev.tilewright.api.study.flow;

import dev.tilewright.api.platform.ServiceSettings;
import dev.tilewright.api.search.Answer;
import dev.tilewright.api.search.History;
import dev.tilewright.api.study.FinalRepository;
import dev.tilewright.api.study.StudyRow;
import dev.tilewright.api.trial.TrialCounts;
import dev.tilewright.api.trial.TrialRepository;
import dev.tilewright.model.exchange.Work;
import dev.tilewright.model.trial.TestbedKind;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import org.springframework.stereotype.Service;

/** What a study needs next. It reads a snapshot and asks, and holds neither a connection nor a lock while it thinks. */
@Service
class Decision {

    private final Search search;
    private final Contenders contenders;
    private final TrialRepository trials;
    private final FinalRepository finals;
    private final Duration deadline;
    private final Clock clock;

    Decision(
            Search search,
            Contenders contenders,
            TrialRepository trials,
            FinalRepository finals,
            ServiceSettings settings,
            Clock clock) {
        this.search = search;
        this.contenders = contenders;
        this.trials = trials;
        this.finals = finals;
        this.deadline = settings.askDeadline();
        this.clock = clock;
    }

    /** The next step of a running study. */
    Step of(StudyRow study) throws InterruptedException {
        try {
            Integer seconds = study.budget().seconds();
            boolean timeIsUp = seconds != null
                    && !clock.instant().isBefore(study.bound().startedAt().plus(Duration.ofSeconds(seconds)));
            if (timeIsUp && !study.exhausted()) {
                return new Step.Stop("the " + seconds + " s of the budget were over");
            }
            TrialCounts counts = trials.counts(study.id());
            if (!study.exhausted()) {
                return ask(study, counts);
            }
            return counts.open() > 0 ? new Step.Wait() : conclude(study);
        } catch (Asks.NoAnswer none) {
            return new Step.Fail(String.valueOf(none.getMessage()));
        }
    }

    private Step ask(StudyRow study, TrialCounts counts) throws Asks.NoAnswer, InterruptedException {
        int left = study.budget().mostTrials() - counts.total();
        if (left <= 0) {
            return new Step.Queue(List.of(), true);
        }
        int wanted = search.wanted(study, counts);
        if (wanted == 0) {
            return new Step.Wait();
        }
        History history = search.history(study);
        Answer answer =
                Asks.within(deadline, "strategy '" + study.strategy() + "'", () -> search.ask(study, history, wanted));
        if (!study.budget().isWorthIt(counts.completed(), answer.gain())) {
            return new Step.Queue(List.of(), true);
        }
        boolean last = answer.configs().size() < wanted || answer.configs().size() == left;
        return new Step.Queue(answer.configs(), last);
    }

    private Step conclude(StudyRow study) throws Asks.NoAnswer, InterruptedException {
        if (study.bound().testbed().kind() != TestbedKind.CUDA || study.budget().finalists() == 0) {
            return new Step.End();
        }
        if (finals.contenders(study.id()).isPresent()) {
            return new Step.Wait();
        }
        List<Work.Contender> best = Asks.within(deadline, "the choice of contenders", () -> contenders.of(study));
        return best.isEmpty() ? new Step.End() : new Step.Race(best);
    }
}
