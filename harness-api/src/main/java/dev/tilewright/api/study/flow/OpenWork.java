package dev.tilewright.api.study.flow;

import dev.tilewright.model.trial.TestbedKind;
import java.time.Instant;
import java.util.UUID;

/** Leases of workers on a study, as far as its life cycle needs them. */
public interface OpenWork {

    /** Takes back all leases of a study, in the transaction at hand: workers are told by their next heartbeat. */
    void cancelLeases(UUID studyId, Instant now);

    /** Counts trials that were cancelled in the transaction at hand. */
    void cancelledTrials(TestbedKind kind, int trials);
}
