package dev.tilewright.api.study.flow;

import dev.tilewright.api.study.FinalRepository;
import dev.tilewright.api.study.StudyRow;
import dev.tilewright.api.study.StudySpaces;
import dev.tilewright.api.study.SweepRepository;
import dev.tilewright.api.trial.TallyRepository;
import dev.tilewright.api.trial.TrialRepository;
import dev.tilewright.api.work.WorkedTimeRepository;
import java.time.Duration;
import org.springframework.stereotype.Service;

/** Reads snapshots of studies, each before a question is put: nobody reads while a question is answered. */
@Service
record StudySnapshots(
        Decision decision,
        StudySpaces spaces,
        TallyRepository tallies,
        TrialRepository trials,
        SweepRepository sweeps,
        FinalRepository finals,
        WorkedTimeRepository times) {

    /** Whether a running study needs no step now. */
    boolean needsNoStep(StudyRow study) {
        return decision.waits(counted(study));
    }

    /** A study with what its next step is decided from; a long history is read only where it is needed. */
    StudySnapshot of(StudyRow study) {
        StudySnapshot known = counted(study);
        return switch (decision.needs(known)) {
            case NOTHING_MORE -> known;
            case HISTORY -> known.with(trials.history(study.id()), sweeps.spent(study.id()));
            case SCREENS -> known.with(finals.stage(study.id()), trials.screened(study.id()));
        };
    }

    private StudySnapshot counted(StudyRow study) {
        return new StudySnapshot(
                study,
                spaces.families().named(study.options().family()),
                tallies.counts(study.id()),
                study.isTimed() ? times.of(study.id()) : Duration.ZERO);
    }
}
