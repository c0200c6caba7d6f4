package dev.tilewright.api.event;

import dev.tilewright.model.exchange.JobEvent;
import java.time.Clock;
import java.util.List;
import java.util.UUID;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Propagation;
import org.springframework.transaction.annotation.Transactional;

/** Where the features say what happened. */
@Service
public class EventLog {

    private final EventRepository events;
    private final Clock clock;

    EventLog(EventRepository events, Clock clock) {
        this.events = events;
        this.clock = clock;
    }

    /** Adds an event in the caller's transaction: it commits if and only if the change it reports commits. */
    @Transactional(propagation = Propagation.MANDATORY)
    public void append(UUID jobId, JobEvent event) {
        append(jobId, List.of(event));
    }

    /** Adds several of one type, in their order; there is one at least. */
    @Transactional(propagation = Propagation.MANDATORY)
    public void append(UUID jobId, List<? extends JobEvent> all) {
        JobEvent first = all.getFirst();
        events.append(jobId, first.type(), first instanceof JobEvent.JobEnded, all, clock.instant());
    }

    /** Events that came after the one with this id, at most {@code limit} of them. */
    List<StoredEvent> after(UUID jobId, long lastId, int limit) {
        return events.after(jobId, lastId, limit);
    }
}
