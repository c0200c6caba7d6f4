package dev.tilewright.api.comparison;

import dev.tilewright.api.platform.access.Caller;
import dev.tilewright.api.platform.http.ApiProblem;
import dev.tilewright.api.task.TaskRepository;
import dev.tilewright.api.task.TaskRow;
import dev.tilewright.model.exchange.GpuTask;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.net.URI;
import java.time.Clock;
import java.util.UUID;
import org.springframework.http.HttpHeaders;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** Comparisons of two kernels. */
@RestController
@Tag(name = "comparisons")
final class ComparisonController {

    private static final String KIND = "compare";

    private final ComparisonReader reader;
    private final TaskRepository tasks;
    private final Clock clock;

    ComparisonController(ComparisonReader reader, TaskRepository tasks, Clock clock) {
        this.reader = reader;
        this.tasks = tasks;
        this.clock = clock;
    }

    @Operation(
            summary = "Compare two kernels of one problem on one GPU",
            description = "Each is a config, that of a trial, or a peer's kernel. Both are verified, then timed in one"
                    + " process in mirrored blocks. The verdict says how the first does beside the second.",
            responses = @ApiResponse(responseCode = "202", description = "Accepted, with its location"))
    @PostMapping("/api/v1/comparisons")
    ResponseEntity<ComparisonDocument> compare(
            @RequestBody ComparisonRequest request, @Parameter(hidden = true) Caller caller) {
        ComparisonReader.Asked asked = reader.read(request);
        UUID id = UUID.randomUUID();
        tasks.insert(id, KIND, asked.device().toString(), asked.task(), caller.name(), clock.instant());
        return ResponseEntity.accepted()
                .location(URI.create("/api/v1/comparisons/" + id))
                .header(HttpHeaders.RETRY_AFTER, "1")
                .body(document(row(id)));
    }

    @Operation(summary = "A comparison with its verdict and its blocks, once it has them")
    @GetMapping("/api/v1/comparisons/{id}")
    ComparisonDocument comparison(@PathVariable UUID id) {
        return document(row(id));
    }

    @Operation(
            summary = "Cancel a comparison; one that is over stays as it is",
            description = "A submitter cancels what was submitted with a token of its name, an operator any.")
    @PostMapping("/api/v1/comparisons/{id}/cancel")
    ComparisonDocument cancel(@PathVariable UUID id, @Parameter(hidden = true) Caller caller) {
        caller.requireMayCancel("comparison", id, row(id).submittedBy());
        tasks.cancel(id, clock.instant());
        return document(row(id));
    }

    private TaskRow row(UUID id) {
        return tasks.find(KIND, id).orElseThrow(() -> ApiProblem.notFound("comparison", id));
    }

    private static ComparisonDocument document(TaskRow row) {
        return switch (row.task()) {
            case GpuTask.Compare task -> ComparisonDocument.of(row, task);
        };
    }
}
