package dev.tilewright.api.lease;

import dev.tilewright.api.platform.ServiceSettings;
import dev.tilewright.api.platform.http.ApiProblem;
import dev.tilewright.api.platform.http.ProblemType;
import dev.tilewright.api.study.StudySpaces;
import dev.tilewright.api.task.TaskRepository;
import dev.tilewright.api.task.TaskRow;
import dev.tilewright.api.worker.WorkerDevice;
import dev.tilewright.model.exchange.GpuTask;
import dev.tilewright.model.exchange.GpuTaskResult;
import dev.tilewright.model.exchange.Lease;
import dev.tilewright.model.exchange.Report;
import dev.tilewright.model.exchange.Work;
import dev.tilewright.model.trial.TestbedKind;
import dev.tilewright.space.families.FamilyBuild;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Service;

/** Leases work that is no part of a study, to GPUs and to the emulator, and takes what came of it. */
@Service
record TaskLeases(
        TaskRepository tasks,
        StudySpaces spaces,
        Refusals refusals,
        FamilyBuild build,
        LeaseMeters meters,
        DeviceMeters devices,
        ServiceSettings settings,
        Clock clock) {

    private static final Logger LOG = LoggerFactory.getLogger(TaskLeases.class);

    /** The only worker that may take a task it has refused is asked again after so long. */
    private static final Duration PAUSE_AFTER_REFUSAL = Duration.ofSeconds(5);

    /**
     * The task that a device gets, if any.
     *
     * @param later whether a queued task was refused by its worker, which may be asked again later
     */
    record Taken(Optional<Lease> lease, boolean later) {}

    /** The oldest task that a device may take. */
    Taken take(OfferRepository.Taker taker, WorkerDevice device) {
        // A model neither runs nor proves anything.
        if (device.testbed().kind() == TestbedKind.SIMULATED) {
            return new Taken(Optional.empty(), false);
        }
        TaskRepository.Taker asking = new TaskRepository.Taker(
                device.workerId(),
                device.label(),
                device.testbedId(),
                taker.selectors(),
                taker.families().stream()
                        .filter(maker -> refusals.misfit(maker, device).isEmpty())
                        .toList());
        Instant now = clock.instant();
        Instant expiresAt = now.plus(settings.leaseTtl());
        Optional<TaskRow> claimed = tasks.claim(asking, now, expiresAt);
        if (claimed.isPresent()) {
            return new Taken(claimed.map(row -> lease(row, device)), false);
        }
        List<TaskRepository.RefusedTask> refused = tasks.refused(device.workerId());
        return new Taken(
                refusedByAll(refused, now)
                        .flatMap(task -> tasks.claimAgain(asking, task, now, expiresAt))
                        .map(row -> lease(row, device)),
                !refused.isEmpty());
    }

    /** A task that this worker has refused and that no other live worker may take: its device may be in order again. */
    private Optional<UUID> refusedByAll(List<TaskRepository.RefusedTask> refused, Instant now) {
        Instant before = now.minus(PAUSE_AFTER_REFUSAL);
        return refused.stream()
                .filter(task -> !task.refusedAt().isAfter(before) && !refusals.isLeftToOthers(task))
                .map(TaskRepository.RefusedTask::id)
                .findFirst();
    }

    private Lease lease(TaskRow row, WorkerDevice device) {
        TaskRow.TaskLease lease = Objects.requireNonNull(row.lease());
        GpuTask task = row.task();
        return new Lease(
                lease.id(),
                lease.fence(),
                settings.leaseTtl().toMillis(),
                null,
                null,
                task.problem(),
                build.id(),
                task.families().stream()
                        .collect(Collectors.toMap(
                                family -> family,
                                family -> spaces.whole(
                                                task.problem(),
                                                family,
                                                device.testbed().smCount())
                                        .hash())),
                task.seed(),
                false,
                new Work.Run(task));
    }

    /** Lets the worker's own leases live on; returns those that live. */
    List<UUID> extend(UUID workerId, List<UUID> leases, Instant expiresAt) {
        return leases.isEmpty() ? List.of() : tasks.extend(workerId, leases, expiresAt);
    }

    /** Takes back what nobody extended in time. */
    void expire(Instant now) {
        int expired = tasks.expire(now);
        if (expired > 0) {
            LOG.info("{} leases of tasks ended: their workers fell silent", expired);
        }
    }

    /** Gives all leases their whole life from now on. */
    void renew(Instant now) {
        tasks.renew(now, settings.leaseTtl());
    }

    /**
     * Takes a report of a worker. One that is sent twice counts once.
     *
     * @throws ApiProblem 404 for a lease that is not one of this worker's, 409 if it was lost, 422 if the report makes
     *     no sense
     */
    void report(UUID workerId, UUID leaseId, Report report) {
        TaskRow row = tasks.leased(workerId, leaseId).orElseThrow(() -> ApiProblem.notFound("lease", leaseId));
        long fence = Objects.requireNonNull(row.lease()).fence();
        if (fence != report.fence()) {
            throw new ApiProblem(
                    ProblemType.STALE_LEASE,
                    "the fence of lease " + leaseId + " is " + fence + ", not " + report.fence());
        }
        switch (row.state()) {
            case QUEUED ->
                throw new ApiProblem(
                        ProblemType.STALE_LEASE, "lease " + leaseId + " expired: its work went back to the queue");
            case LEASED -> store(row, workerId, leaseId, report);
            case FINISHED, FAILED, CANCELLED -> {
                // It was taken before, or nobody wants it any more.
            }
        }
    }

    private void store(TaskRow row, UUID workerId, UUID leaseId, Report report) {
        switch (report) {
            case Report.Ran(long _, GpuTaskResult result) -> {
                TaskReportCheck.require(row.task(), result);
                boolean taken = tasks.finish(leaseId, result, clock.instant());
                if (taken && result instanceof GpuTaskResult.Compared compared) {
                    meters.compared(compared.verdict());
                    devices.compared(workerId, row, compared);
                }
            }
            case Report.Refused refused -> {
                if (refused.saysThatTheWorkerStops()) {
                    tasks.giveBack(leaseId);
                } else {
                    tasks.refuse(leaseId, refused.reason(), clock.instant());
                }
            }
            case Report.Screened _, Report.Finished _ ->
                throw ApiProblem.invalid("/type", "the lease is of no study: report 'ran' or 'refused', got another");
        }
    }
}
