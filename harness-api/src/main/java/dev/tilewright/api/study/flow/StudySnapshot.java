package dev.tilewright.api.study.flow;

import dev.tilewright.api.study.StudyRow;
import dev.tilewright.api.trial.TrialRepository;
import dev.tilewright.model.exchange.StudyStage;
import dev.tilewright.model.exchange.TrialCounts;
import dev.tilewright.space.family.FamilySpace;
import java.time.Duration;
import java.util.List;

/**
 * A study as it was at one moment: all that the next step of a study is decided from. Of the last four it has what
 * {@link Decision#needs} asked for.
 *
 * @param worked time in which devices worked on the study, if that is limited
 * @param seen what the search asked so far
 * @param spent time that the trials took of a GPU
 * @param stage of the final
 * @param screened completed trials with their screens
 */
record StudySnapshot(
        StudyRow study,
        FamilySpace family,
        TrialCounts counts,
        Duration worked,
        List<TrialRepository.Seen> seen,
        Duration spent,
        StudyStage stage,
        List<TrialRepository.Screened> screened) {

    StudySnapshot {
        seen = List.copyOf(seen);
        screened = List.copyOf(screened);
    }

    /** The parts that are read of each study. */
    StudySnapshot(StudyRow study, FamilySpace family, TrialCounts counts, Duration worked) {
        this(study, family, counts, worked, List.of(), Duration.ZERO, StudyStage.SWEEP, List.of());
    }

    /** The same with the history of the search. */
    StudySnapshot with(List<TrialRepository.Seen> history, Duration spentByTrials) {
        return new StudySnapshot(study, family, counts, worked, history, spentByTrials, stage, screened);
    }

    /** The same with what a final is chosen by. */
    StudySnapshot with(StudyStage reached, List<TrialRepository.Screened> screens) {
        return new StudySnapshot(study, family, counts, worked, seen, spent, reached, screens);
    }

    /** Whether the time of the budget is over. */
    boolean isOutOfTime() {
        return study.isOutOfTime(worked);
    }
}
