package dev.tilewright.api.lease;

import dev.tilewright.api.study.StudyRepository;
import dev.tilewright.api.study.StudyRow;
import dev.tilewright.api.trial.TrialRepository;
import dev.tilewright.api.work.LeaseRow;
import dev.tilewright.api.work.WorkId;
import dev.tilewright.api.work.WorkKind;
import dev.tilewright.model.trial.TrialOutcome;
import java.time.Clock;
import java.util.List;
import java.util.UUID;
import org.springframework.stereotype.Component;

/** Screens of trials as work of the queue: one that is given up ends as a fault of the infrastructure. */
@Component
record ScreenWork(StudyRepository studies, TrialRepository trials, TrialEvents events, Clock clock)
        implements WorkKind {

    @Override
    public WorkId.Type type() {
        return WorkId.Type.SCREEN;
    }

    @Override
    public boolean holdOwner(UUID owner) {
        return studies.lock(owner).isPresent();
    }

    @Override
    public void giveUp(LeaseRow lease, String why) {
        StudyRow study = studies.find(lease.work().owner()).orElseThrow();
        TrialRepository.Ended trial =
                trials.giveUp(study.id(), lease.work().id(), TrialOutcome.INFRASTRUCTURE, why, clock.instant());
        events.finished(study, List.of(new TrialEvents.EndedTrial(trial, lease.grantedAt())));
    }
}
