package dev.tilewright.api.event;

import dev.tilewright.api.platform.http.ApiProblem;
import dev.tilewright.api.platform.http.Fault;
import dev.tilewright.api.platform.http.ProblemType;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;

/** Progress of a job as server-sent events. */
@RestController
@Tag(name = "jobs")
final class EventController {

    private final EventStream stream;
    private final EventRepository events;

    EventController(EventStream stream, EventRepository events) {
        this.stream = stream;
        this.events = events;
    }

    @Operation(summary = "Events of a job as they happen; ends after its last one. Resume with Last-Event-ID")
    @GetMapping(path = "/api/v1/jobs/{id}/events", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    SseEmitter listen(
            @PathVariable UUID id,
            @RequestHeader(name = "Last-Event-ID", required = false) @Nullable String lastEventId) {
        if (!events.jobExists(id)) {
            throw ApiProblem.notFound("job", id);
        }
        long last = lastId(lastEventId);
        return stream.listen(id, last, events.endedBy(id, last));
    }

    private static long lastId(@Nullable String header) {
        if (header == null || header.isBlank()) {
            return 0;
        }
        if (!header.strip().matches("\\d{1,18}")) {
            Fault fault = new Fault("Last-Event-ID", "must be the id of an event, got '" + header + "'");
            throw new ApiProblem(
                    ProblemType.MALFORMED_REQUEST, fault.pointer() + ": " + fault.detail(), List.of(fault));
        }
        return Long.parseLong(header.strip());
    }
}
