package dev.tilewright.api.lease;

import dev.tilewright.api.study.flow.OpenWork;
import dev.tilewright.model.trial.TestbedKind;
import java.time.Instant;
import java.util.UUID;
import org.springframework.stereotype.Component;

/** The leases of a study, for its life. */
@Component
record HeldWork(LeaseRepository leases, LeaseMeters meters) implements OpenWork {

    @Override
    public void cancelLeases(UUID studyId, Instant now) {
        meters.ended(LeaseRow.Ending.CANCELLED, leases.cancel(studyId, now));
    }

    @Override
    public void cancelledTrials(TestbedKind kind, int trials) {
        meters.cancelled(kind, trials);
    }
}
