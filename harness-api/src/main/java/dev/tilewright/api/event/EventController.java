package dev.tilewright.api.event;

import dev.tilewright.api.platform.http.ApiProblem;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.tags.Tag;
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
record EventController(EventStream stream, EventRepository events) {

    @Operation(summary = "Events of a job as they happen; ends after its last one. Resume with Last-Event-ID")
    @GetMapping(path = "/api/v1/jobs/{id}/events", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
    SseEmitter listen(
            @Parameter(description = "Id of the job") @PathVariable UUID id,
            @Parameter(description = "Id of the last event that was seen; from the first event if left out")
                    @RequestHeader(name = "Last-Event-ID", required = false)
                    @Nullable
                    String lastEventId) {
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
            throw ApiProblem.malformed("Last-Event-ID", "must be the id of an event, got '" + header + "'");
        }
        return Long.parseLong(header.strip());
    }
}
