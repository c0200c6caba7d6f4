package dev.tilewright.api.job;

import dev.tilewright.api.idempotency.IdempotencyKeys;
import dev.tilewright.api.platform.access.Caller;
import dev.tilewright.api.platform.http.ApiProblem;
import dev.tilewright.api.platform.http.Page;
import dev.tilewright.api.study.flow.Foresight;
import dev.tilewright.model.exchange.JobDocument;
import dev.tilewright.model.exchange.JobRequest;
import dev.tilewright.model.exchange.ResultDocument;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.NestedExceptionUtils;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.core.JacksonException;

/** Jobs over HTTP. */
@RestController
@Tag(name = "jobs")
record JobController(JobService jobs, JobResults results, Foresight foresight) {

    private static final Logger LOG = LoggerFactory.getLogger(JobController.class);

    @Operation(
            summary = "Submit a job",
            responses = @ApiResponse(responseCode = "202", description = "Accepted, with its location"))
    @PostMapping("/api/v1/jobs")
    ResponseEntity<JobDocument> submit(
            @RequestBody JobRequest request,
            @Parameter(description = IdempotencyKeys.MEANING)
                    @RequestHeader(name = IdempotencyKeys.HEADER, required = false)
                    @Nullable
                    String idempotencyKey,
            @Parameter(hidden = true) Caller caller) {
        JobDocument job = jobs.submit(request, idempotencyKey, caller);
        foresight.look();
        return ResponseEntity.accepted()
                .location(URI.create("/api/v1/jobs/" + job.job().id()))
                .header(HttpHeaders.RETRY_AFTER, "1")
                .body(job);
    }

    @Operation(
            summary = "Jobs, newest first unless another order is asked for",
            description = "A page ends with the cursor of the next one. A request with a cursor must repeat the other"
                    + " parameters.")
    @GetMapping("/api/v1/jobs")
    Page<JobDocument> list(
            @Parameter(description = Page.LIMIT) @RequestParam(defaultValue = "50") int limit,
            @Parameter(description = Page.CURSOR) @RequestParam(required = false) @Nullable String cursor,
            @Parameter(description = "State: queued, running, finished, failed or cancelled")
                    @RequestParam(required = false)
                    @Nullable
                    String state,
            @Parameter(description = "Part of the name, in letters of any case")
                    @RequestParam(required = false)
                    @Nullable
                    String name,
            @Parameter(description = "Device that the job was submitted for, such as cuda:all")
                    @RequestParam(required = false)
                    @Nullable
                    String device,
            @Parameter(description = "Name of the token that the job was submitted with")
                    @RequestParam(required = false)
                    @Nullable
                    String submittedBy,
            @Parameter(description = "newest, oldest or name") @RequestParam(defaultValue = "newest") String sort) {
        return jobs.list(JobQuery.read(state, name, device, submittedBy, sort), limit, cursor);
    }

    @Operation(summary = "A job and how far its studies are")
    @GetMapping("/api/v1/jobs/{id}")
    JobDocument job(@Parameter(description = "Id of the job") @PathVariable UUID id) {
        return jobs.find(id);
    }

    @Operation(
            summary = "Cancel a job; one that is over stays as it is",
            description = "A submitter cancels what was submitted with a token of its name, an operator any job.")
    @PostMapping("/api/v1/jobs/{id}/cancel")
    JobDocument cancel(
            @Parameter(description = "Id of the job") @PathVariable UUID id, @Parameter(hidden = true) Caller caller) {
        return jobs.cancel(id, caller);
    }

    @Operation(
            summary = "All studies and trials of a job with their evidence, as docs/result.schema.json describes it",
            description = "Written as it is read, and compressed for clients that accept gzip. A few long results are"
                    + " written at a time; one more is answered 503 with Retry-After. A result that ends before its JSON"
                    + " does was broken off.",
            responses =
                    @ApiResponse(
                            responseCode = "200",
                            description = "The result so far",
                            content =
                                    @Content(
                                            mediaType = MediaType.APPLICATION_JSON_VALUE,
                                            schema = @Schema(implementation = ResultDocument.class))))
    @GetMapping(path = "/api/v1/jobs/{id}/result", produces = MediaType.APPLICATION_JSON_VALUE)
    void result(
            @Parameter(description = "Id of the job") @PathVariable UUID id,
            @Parameter(description = "Most trials of each study, 0 for none (default: all)")
                    @RequestParam(required = false)
                    @Nullable
                    Integer trials,
            @Parameter(description = "Ordinal of the first trial of each study") @RequestParam(defaultValue = "0")
                    int from,
            @Parameter(hidden = true) HttpServletResponse response)
            throws IOException {
        JobResults.Extent extent = new JobResults.Extent(
                notNegative("from", from), trials == null ? Integer.MAX_VALUE : notNegative("trials", trials));
        try (JobResults.Result result = results.of(id, extent)) {
            response.setContentType(MediaType.APPLICATION_JSON_VALUE);
            result.writeTo(response.getOutputStream());
        } catch (JacksonException failed) {
            if (!(NestedExceptionUtils.getMostSpecificCause(failed) instanceof IOException)) {
                throw failed;
            }
            LOG.debug("who asked for the result of job {} went away", id);
        }
    }

    private static int notNegative(String name, int value) {
        if (value < 0) {
            throw ApiProblem.malformed(name, "must not be negative, got " + value);
        }
        return value;
    }
}
