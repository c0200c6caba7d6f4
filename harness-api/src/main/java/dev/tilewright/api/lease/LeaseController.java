package dev.tilewright.api.lease;

import dev.tilewright.api.platform.http.ApiProblem;
import dev.tilewright.api.worker.WorkerService;
import dev.tilewright.model.exchange.Heartbeat;
import dev.tilewright.model.exchange.LeaseGrant;
import dev.tilewright.model.exchange.LeaseRequest;
import dev.tilewright.model.exchange.ReportBatch;
import dev.tilewright.model.exchange.WorkerRegistration;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.security.SecurityRequirement;
import io.swagger.v3.oas.annotations.tags.Tag;
import org.jspecify.annotations.Nullable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;

/** Work for workers. */
@RestController
@Tag(name = "workers")
@SecurityRequirement(name = "workerToken")
record LeaseController(WorkRequests requests, Heartbeats heartbeats, Reports reports, WorkerService workers) {

    private static final int MAX_LEASES = 256;
    /** Far more than a worker with many devices holds, and fewer than a statement of Postgres takes. */
    private static final int MAX_HEARTBEATS = 10_000;

    @Operation(
            summary = "Ask for work for one device; 404 if the worker has to register again",
            description =
                    "Without work the answer waits for waitMs, or until work comes; a worker that then got nothing asks"
                            + " again at once. A worker names what it was granted in a heartbeat before it begins: a lease that no heartbeat"
                            + " and no report ever named costs no attempt.")
    @PostMapping("/api/v1/leases")
    LeaseGrant lease(
            @Parameter(description = "The own token of the worker, from the answer to its registration")
                    @RequestHeader(name = WorkerRegistration.TOKEN_HEADER, required = false)
                    @Nullable
                    String workerToken,
            @RequestBody LeaseRequest request)
            throws InterruptedException {
        if (request.max() < 1 || request.max() > MAX_LEASES) {
            throw ApiProblem.invalid("/max", "must be from 1 to " + MAX_LEASES + ", got " + request.max());
        }
        if (request.waitMs() < 0 || request.waitMs() > LeaseRequest.MAX_WAIT_MS) {
            throw ApiProblem.invalid(
                    "/waitMs", "must be from 0 to " + LeaseRequest.MAX_WAIT_MS + ", got " + request.waitMs());
        }
        return requests.answer(request, workerToken);
    }

    @Operation(summary = "Say that leases are being worked on; answers which ones to drop")
    @PostMapping("/api/v1/heartbeats")
    Heartbeat.Reply heartbeat(
            @Parameter(description = "The own token of the worker, from the answer to its registration")
                    @RequestHeader(name = WorkerRegistration.TOKEN_HEADER, required = false)
                    @Nullable
                    String workerToken,
            @RequestBody Heartbeat heartbeat) {
        int size = heartbeat.leases().size();
        if (size > MAX_HEARTBEATS) {
            throw ApiProblem.invalid("/leases", "must have at most " + MAX_HEARTBEATS + " leases, got " + size);
        }
        return heartbeats.take(heartbeat, workerToken);
    }

    @Operation(
            summary = "Report what came of leases; a report that is sent twice counts once",
            description = "Each report is taken or refused by itself; the answer names those that were refused and why,"
                    + " such as 409 if the lease was lost, or 404 if it is not one of this worker's.")
    @PostMapping("/api/v1/reports")
    ReportBatch.Receipt report(
            @Parameter(description = "The own token of the worker, from the answer to its registration")
                    @RequestHeader(name = WorkerRegistration.TOKEN_HEADER, required = false)
                    @Nullable
                    String workerToken,
            @RequestBody ReportBatch batch) {
        int size = batch.reports().size();
        if (size < 1 || size > ReportBatch.MAX_REPORTS) {
            throw ApiProblem.invalid(
                    "/reports", "must have from 1 to " + ReportBatch.MAX_REPORTS + " reports, got " + size);
        }
        return reports.take(workers.identified(workerToken), batch.reports());
    }
}
