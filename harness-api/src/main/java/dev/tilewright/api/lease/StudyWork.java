package dev.tilewright.api.lease;

import dev.tilewright.api.study.StudyRepository;
import dev.tilewright.api.study.StudyRow;
import dev.tilewright.api.study.flow.StudyFlow;
import dev.tilewright.api.trial.TrialRepository;
import dev.tilewright.api.work.LeaseRow;
import dev.tilewright.api.work.WorkId;
import dev.tilewright.api.work.WorkKind;
import dev.tilewright.model.trial.TrialOutcome;
import java.time.Clock;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.springframework.stereotype.Component;

/**
 * Screens and finals as work of the queue. A screen that is given up ends as a fault of the infrastructure, and a final
 * ends its study.
 */
@Component
record StudyWork(StudyRepository studies, StudyFlow flow, TrialRepository trials, TrialEvents events, Clock clock)
        implements WorkKind {

    @Override
    public Set<WorkId.Type> types() {
        return Set.of(WorkId.Type.SCREEN, WorkId.Type.FINAL);
    }

    @Override
    public boolean holdOwner(UUID owner) {
        return studies.lock(owner).isPresent();
    }

    @Override
    public void giveUp(LeaseRow lease, String why) {
        StudyRow study = studies.find(lease.work().owner()).orElseThrow();
        if (lease.work().type() == WorkId.Type.FINAL) {
            flow.end(study, "the final could not be run: " + why);
            return;
        }
        TrialRepository.Ended trial =
                trials.giveUp(study.id(), lease.work().id(), TrialOutcome.INFRASTRUCTURE, why, clock.instant());
        events.finished(study, List.of(new TrialEvents.EndedTrial(trial, lease.grantedAt())));
    }
}
