package dev.tilewright.api.comparison;

import dev.tilewright.api.asked.AskedKernels;
import dev.tilewright.api.platform.access.Caller;
import dev.tilewright.api.platform.http.Fault;
import dev.tilewright.api.task.TaskDesk;
import dev.tilewright.api.task.TaskRow;
import dev.tilewright.model.exchange.ComparisonDocument;
import dev.tilewright.model.exchange.GpuTask;
import dev.tilewright.model.exchange.GpuTaskResult.Compared;
import dev.tilewright.model.exchange.ProblemDocument;
import dev.tilewright.model.exchange.StopRule;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
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
record ComparisonController(AskedKernels kernels, TaskDesk desk) {

    private static final String KIND = "comparison";
    private static final long SEED = 1;

    @Operation(
            summary = "Compare two kernels of one problem on one GPU",
            description =
                    "Each is a config of a family or a bundle, that of a trial, or a peer's kernel. Both are"
                            + " verified, then timed in one process in mirrored blocks. The verdict says how the first does beside"
                            + " the second. One that is slowedBy has a wait in front, so that its launches take that much longer.",
            responses = @ApiResponse(responseCode = "202", description = "Accepted, with its location"))
    @PostMapping("/api/v1/comparisons")
    ResponseEntity<ComparisonDocument> compare(
            @RequestBody ComparisonRequest request, @Parameter(hidden = true) Caller caller) {
        List<Fault> faults = new ArrayList<>();
        StopRule stop = stop(request.blocks(), faults);
        AskedKernels.Resolved asked = kernels.read(
                request.problem(),
                request.device(),
                List.of(
                        new AskedKernels.KernelAt("/first", request.first()),
                        new AskedKernels.KernelAt("/second", request.second())),
                faults);
        GpuTask task = new GpuTask.Compare(
                asked.problem(),
                asked.sides().getFirst(),
                asked.sides().getLast(),
                Boolean.TRUE.equals(request.measureEqual()),
                Objects.requireNonNullElse(request.seed(), SEED),
                stop,
                Boolean.TRUE.equals(request.freshProcess()),
                false,
                List.of());
        TaskRow row = desk.submit(KIND, asked.device(), task, caller);
        return ResponseEntity.accepted()
                .location(URI.create("/api/v1/comparisons/" + row.id()))
                .header(HttpHeaders.RETRY_AFTER, "1")
                .body(document(row));
    }

    /** The usual rule, or its margins and error at one look alone. */
    private static StopRule stop(@Nullable Integer blocks, List<Fault> faults) {
        StopRule usual = StopRule.COMPARISON;
        if (blocks == null) {
            return usual;
        }
        try {
            return new StopRule(List.of(blocks), usual.thresholds(), usual.errorAbove(), usual.errorBelow());
        } catch (IllegalArgumentException refused) {
            faults.add(new Fault("/blocks", String.valueOf(refused.getMessage())));
            return usual;
        }
    }

    @Operation(summary = "A comparison with its verdict and its blocks, once it has them")
    @GetMapping("/api/v1/comparisons/{id}")
    ComparisonDocument comparison(@PathVariable UUID id) {
        return document(desk.find(KIND, id));
    }

    @Operation(
            summary = "Cancel a comparison; one that is over stays as it is",
            description = "A submitter cancels what was submitted with a token of its name, an operator any.")
    @PostMapping("/api/v1/comparisons/{id}/cancel")
    ComparisonDocument cancelComparison(@PathVariable UUID id, @Parameter(hidden = true) Caller caller) {
        return document(desk.cancel(KIND, id, caller));
    }

    private static ComparisonDocument document(TaskRow row) {
        GpuTask.Compare task = (GpuTask.Compare) row.task();
        return new ComparisonDocument(
                row.id(),
                row.state(),
                ProblemDocument.of(task.problem()),
                task.first(),
                task.second(),
                task.measureEqual(),
                task.seed(),
                row.selector(),
                row.submittedBy(),
                row.testbed(),
                (Compared) row.result(),
                row.error(),
                row.createdAt(),
                row.finishedAt());
    }
}
