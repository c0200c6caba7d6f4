package dev.tilewright.api.gate;

import dev.tilewright.api.idempotency.IdempotencyKeys;
import dev.tilewright.api.platform.access.Caller;
import dev.tilewright.api.platform.http.ApiProblem;
import dev.tilewright.api.platform.http.Page;
import dev.tilewright.gate.document.DecisionRequest;
import dev.tilewright.gate.document.GateBlocks;
import dev.tilewright.gate.document.GateCandidate;
import dev.tilewright.gate.document.GateRequest;
import dev.tilewright.gate.document.GateRun;
import dev.tilewright.gate.document.GateRunLine;
import dev.tilewright.gate.document.GateVerdict;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import java.net.URI;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
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

/** Runs of gates over HTTP. */
@RestController
@Tag(name = "gates")
record GateController(GateService service, Redecision redecision) {

    /** All gates. */
    record GateList(List<GateRunLine> items) {}

    @Operation(
            summary = "Run a gate: each case's candidate beside its baseline, on one GPU",
            description = "All of the request is checked before anything is queued. A kernel that is the best config, a"
                    + " trial's or a run's is looked up now. On simulated:* the run ends at once as inconclusive:"
                    + " nothing was measured.",
            responses = @ApiResponse(responseCode = "202", description = "Accepted, with its location"))
    @PostMapping("/api/v1/gates/{name}/runs")
    ResponseEntity<GateRun> runGate(
            @Parameter(description = "Name of the gate") @PathVariable String name,
            @RequestBody GateRequest request,
            @Parameter(description = IdempotencyKeys.MEANING)
                    @RequestHeader(name = IdempotencyKeys.HEADER, required = false)
                    @Nullable
                    String idempotencyKey,
            @Parameter(hidden = true) Caller caller) {
        GateRun run = service.submit(name, request, idempotencyKey, caller.name());
        return ResponseEntity.accepted()
                .location(URI.create("/api/v1/gate-runs/" + run.id()))
                .header(HttpHeaders.RETRY_AFTER, "1")
                .body(run);
    }

    @Operation(summary = "All gates that ever ran, by name, each with its last run")
    @GetMapping("/api/v1/gates")
    GateList gates() {
        return new GateList(service.newest());
    }

    @Operation(summary = "The runs of a gate, newest first")
    @GetMapping("/api/v1/gates/{name}/runs")
    Page<GateRunLine> gateRuns(
            @Parameter(description = "Name of the gate") @PathVariable String name,
            @Parameter(description = "Runs of this branch") @RequestParam(required = false) @Nullable String branch,
            @Parameter(description = "State: queued, running, finished, failed or cancelled")
                    @RequestParam(required = false)
                    @Nullable
                    String state,
            @Parameter(
                            description =
                                    "Verdict: pass, warn, fail, faster, inconclusive," + " unchanged_binary or invalid")
                    @RequestParam(required = false)
                    @Nullable
                    String verdict,
            @Parameter(description = Page.LIMIT) @RequestParam(defaultValue = "50") int limit,
            @Parameter(description = Page.CURSOR) @RequestParam(required = false) @Nullable String cursor) {
        return service.list(
                new GateRunRepository.Question(
                        name,
                        branch,
                        state == null ? null : one("state", state, GateRun.State.values()),
                        verdict == null ? null : one("verdict", verdict, GateVerdict.values())),
                limit,
                cursor);
    }

    private static <T> T one(String parameter, String text, T[] values) {
        return Arrays.stream(values)
                .filter(value -> value.toString().equals(text))
                .findFirst()
                .orElseThrow(() -> ApiProblem.invalid(
                        parameter,
                        "unknown " + parameter + " '" + text + "'; known: "
                                + Arrays.stream(values).map(Object::toString).collect(Collectors.joining(", "))));
    }

    @Operation(
            summary = "A run with its cases, its verdict and the evidence, as docs/gate-run.schema.json describes it")
    @GetMapping("/api/v1/gate-runs/{id}")
    GateRun gateRun(@Parameter(description = "Id of the run") @PathVariable UUID id) {
        return service.find(id);
    }

    @Operation(
            summary = "Cancel a run; one that is over stays as it is",
            description = "A submitter cancels what was submitted with a token of its name, an operator any.")
    @PostMapping("/api/v1/gate-runs/{id}/cancel")
    GateRun cancelGateRun(
            @Parameter(description = "Id of the run") @PathVariable UUID id, @Parameter(hidden = true) Caller caller) {
        return service.cancel(id, caller);
    }

    @Operation(summary = "The raw blocks of a run, by case and stage")
    @GetMapping("/api/v1/gate-runs/{id}/blocks")
    GateBlocks gateBlocks(@Parameter(description = "Id of the run") @PathVariable UUID id) {
        return service.blocks(id);
    }

    @Operation(
            summary =
                    "Decide a finished run again from its stored blocks, with other margins, another error or other looks",
            description = "The answer is not stored. Waivers are those of now. A failure that needs a second process"
                    + " which the run did not have is inconclusive.")
    @PostMapping("/api/v1/gate-runs/{id}/decisions")
    GateRun decideAgain(
            @Parameter(description = "Id of the run") @PathVariable UUID id, @RequestBody DecisionRequest request) {
        return redecision.of(id, request);
    }

    @Operation(summary = "The kernel of each case in the newest finished run of a commit; 404 if there is none")
    @GetMapping("/api/v1/gates/{name}/candidates")
    GateCandidate.GateCandidates gateCandidates(
            @Parameter(description = "Name of the gate") @PathVariable String name,
            @Parameter(description = "The commit, as the request of the run named it") @RequestParam String commit) {
        return service.candidates(name, commit);
    }
}
