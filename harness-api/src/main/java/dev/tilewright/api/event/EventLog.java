package dev.tilewright.api.event;

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

    /** Adds an event in the caller's transaction: it is there exactly if what it tells of is. */
    @Transactional(propagation = Propagation.MANDATORY)
    public void append(UUID jobId, String type, Object data) {
        append(jobId, type, List.of(data));
    }

    /** Adds several, in their order. */
    @Transactional(propagation = Propagation.MANDATORY)
    public void append(UUID jobId, String type, List<?> data) {
        events.append(jobId, type, false, data, clock.instant());
    }

    /** Adds the last event of a job. */
    @Transactional(propagation = Propagation.MANDATORY)
    public void appendLast(UUID jobId, String type, Object data) {
        events.append(jobId, type, true, List.of(data), clock.instant());
    }

    /** Events that came after the one with this id, at most {@code limit} of them. */
    List<JobEvent> after(UUID jobId, long lastId, int limit) {
        return events.after(jobId, lastId, limit);
    }
}
