package dev.tilewright.api.lease;

import dev.tilewright.api.platform.http.ApiProblem;
import dev.tilewright.api.worker.WorkerService;
import dev.tilewright.model.exchange.Heartbeat;
import dev.tilewright.model.exchange.LeaseGrant;
import dev.tilewright.model.exchange.LeaseRequest;
import dev.tilewright.model.exchange.ReportBatch;
import dev.tilewright.model.exchange.WorkerRegistration;
import io.swagger.v3.oas.annotations.Operation;
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
record LeaseController(
        LeaseService leases, Heartbeats heartbeats, Reports reports, WorkerService workers, LeaseMeters meters) {

    private static final int MAX_LEASES = 256;
    /** Far more than a worker with many devices holds, and fewer than a statement of Postgres takes. */
    private static final int MAX_HEARTBEATS = 10_000;

    @Operation(
            summary = "Ask for work for one device; 404 if the worker has to register again",
            description =
                    "A worker names what it was granted in a heartbeat before it begins: a lease that no heartbeat"
                            + " and no report ever named costs no attempt.")
    @PostMapping("/api/v1/leases")
    LeaseGrant lease(
            @RequestHeader(name = WorkerRegistration.TOKEN_HEADER, required = false) @Nullable String workerToken,
            @RequestBody LeaseRequest request) {
        if (request.max() < 1 || request.max() > MAX_LEASES) {
            throw ApiProblem.invalid("/max", "must be from 1 to " + MAX_LEASES + ", got " + request.max());
        }
        return meters.answered(() -> leases.lease(request, workerToken));
    }

    @Operation(summary = "Say that leases are being worked on; answers which ones to drop")
    @PostMapping("/api/v1/heartbeats")
    Heartbeat.Reply heartbeat(
            @RequestHeader(name = WorkerRegistration.TOKEN_HEADER, required = false) @Nullable String workerToken,
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
            @RequestHeader(name = WorkerRegistration.TOKEN_HEADER, required = false) @Nullable String workerToken,
            @RequestBody ReportBatch batch) {
        int size = batch.reports().size();
        if (size < 1 || size > ReportBatch.MAX_REPORTS) {
            throw ApiProblem.invalid(
                    "/reports", "must have from 1 to " + ReportBatch.MAX_REPORTS + " reports, got " + size);
        }
        return reports.take(workers.identified(workerToken), batch.reports());
    }
}
