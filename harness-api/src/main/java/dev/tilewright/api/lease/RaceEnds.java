package dev.tilewright.api.lease;

import dev.tilewright.api.study.StudyRepository;
import dev.tilewright.api.study.flow.StudyFlow;
import dev.tilewright.api.work.LeaseRepository;
import dev.tilewright.model.exchange.StudyState;
import java.util.List;
import java.util.UUID;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Notes which races are over, as heartbeats say. */
@Service
class RaceEnds {

    private final LeaseRepository leases;
    private final StudyRepository studies;
    private final StudyFlow flow;

    RaceEnds(LeaseRepository leases, StudyRepository studies, StudyFlow flow) {
        this.leases = leases;
        this.studies = studies;
        this.flow = flow;
    }

    /**
     * A study that somebody holds at this moment is left to the next heartbeat.
     *
     * @param raced leases of which the worker says that their race is over
     */
    @Transactional
    public void note(UUID workerId, List<UUID> raced) {
        for (UUID study : leases.finals(workerId, raced)) {
            studies.lockIfFree(study)
                    .filter(held -> held.state() == StudyState.RUNNING)
                    .ifPresent(flow::raced);
        }
    }
}
