package dev.tilewright.api.lease;

import dev.tilewright.api.study.FinalRepository;
import dev.tilewright.api.study.StudyRepository;
import dev.tilewright.api.study.flow.StudyFlow;
import dev.tilewright.api.work.LeaseRow;
import dev.tilewright.api.work.WorkId;
import dev.tilewright.api.work.WorkKind;
import java.util.UUID;
import org.springframework.stereotype.Component;

/** Finals as work of the queue: a study whose final is given up ends with it. */
@Component
record FinalWork(StudyRepository studies, FinalRepository finals, StudyFlow flow) implements WorkKind {

    @Override
    public WorkId.Type type() {
        return WorkId.Type.FINAL;
    }

    @Override
    public boolean holdOwner(UUID owner) {
        return studies.lock(owner).isPresent();
    }

    @Override
    public void giveUp(LeaseRow lease, String why) {
        flow.end(studies.find(lease.work().owner()).orElseThrow(), "the final could not be run: " + why);
    }
}
