package dev.tilewright.api.retention;

import dev.tilewright.api.platform.access.Caller;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.util.UUID;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

/** Deleting what users no longer want. */
@RestController
@Tag(name = "jobs")
record RetentionController(JobRemoval removal) {

    @Operation(
            summary = "Delete a job that is over, with its studies, trials and events",
            description =
                    "A submitter deletes what was submitted with a token of its name, an operator any job. 409 while"
                            + " it is queued or running, and while GET /api/v1/best serves a config from it.")
    @DeleteMapping("/api/v1/jobs/{id}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    void deleteJob(
            @Parameter(description = "Id of the job") @PathVariable UUID id, @Parameter(hidden = true) Caller caller) {
        removal.delete(id, caller);
    }
}
