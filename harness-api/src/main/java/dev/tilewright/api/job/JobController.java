package dev.tilewright.api.job;

import dev.tilewright.api.platform.http.ApiProblem;
import dev.tilewright.api.platform.http.Fault;
import dev.tilewright.api.platform.http.Page;
import dev.tilewright.api.platform.http.ProblemType;
import dev.tilewright.api.study.flow.Foresight;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.net.URI;
import java.util.List;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Jobs over HTTP. */
@RestController
@Tag(name = "jobs")
final class JobController {

    /** A structured-field string, or plain text without blanks. */
    private static final Pattern KEY =
            Pattern.compile("\"([\\x20-\\x7e&&[^\"\\\\]]{1,255})\"|([\\x21-\\x7e&&[^\"\\\\]]{1,255})");

    private final JobService jobs;
    private final JobResults results;
    private final Foresight foresight;

    JobController(JobService jobs, JobResults results, Foresight foresight) {
        this.jobs = jobs;
        this.results = results;
        this.foresight = foresight;
    }

    @Operation(
            summary = "Submit a job",
            responses = @ApiResponse(responseCode = "202", description = "Accepted, with its location"))
    @PostMapping("/api/v1/jobs")
    ResponseEntity<JobDocument> submit(
            @RequestBody JobRequest request,
            @Parameter(description = "Makes the request safe to repeat; the answer is kept for 24 hours")
                    @RequestHeader(name = "Idempotency-Key", required = false)
                    @Nullable
                    String idempotencyKey) {
        JobDocument job = jobs.submit(request, key(idempotencyKey));
        foresight.look();
        return ResponseEntity.accepted()
                .location(URI.create("/api/v1/jobs/" + job.id()))
                .header(HttpHeaders.RETRY_AFTER, "1")
                .body(job);
    }

    private static @Nullable String key(@Nullable String header) {
        if (header == null) {
            return null;
        }
        Matcher matcher = KEY.matcher(header.strip());
        if (!matcher.matches()) {
            Fault fault =
                    new Fault("Idempotency-Key", "must be text of 1 to 255 visible characters, got '" + header + "'");
            throw new ApiProblem(ProblemType.MALFORMED_REQUEST, fault.pointer() + " " + fault.detail(), List.of(fault));
        }
        return matcher.group(1) != null ? matcher.group(1) : matcher.group(2);
    }

    @Operation(summary = "Jobs, newest first")
    @GetMapping("/api/v1/jobs")
    Page<JobDocument> list(
            @RequestParam(defaultValue = "50") int limit, @RequestParam(required = false) @Nullable String cursor) {
        return jobs.list(limit, cursor);
    }

    @Operation(summary = "A job and how far its studies are")
    @GetMapping("/api/v1/jobs/{id}")
    JobDocument job(@PathVariable UUID id) {
        return jobs.find(id);
    }

    @Operation(summary = "Cancel a job; one that is over stays as it is")
    @PostMapping("/api/v1/jobs/{id}/cancel")
    JobDocument cancel(@PathVariable UUID id) {
        return jobs.cancel(id);
    }

    @Operation(summary = "All studies and trials of a job with their evidence, as docs/result.schema.json describes it")
    @GetMapping("/api/v1/jobs/{id}/result")
    JobResults.ResultDocument result(@PathVariable UUID id) {
        return results.of(id);
    }
}
