package dev.tilewright.api.lease;

import dev.tilewright.api.platform.ServiceSettings;
import dev.tilewright.api.platform.database.OnCommit;
import dev.tilewright.api.platform.http.ApiProblem;
import dev.tilewright.api.study.StudySpaces;
import dev.tilewright.api.task.TaskRepository;
import dev.tilewright.api.task.TaskRow;
import dev.tilewright.api.work.LeaseRow;
import dev.tilewright.api.work.Leases;
import dev.tilewright.api.work.QueueRules;
import dev.tilewright.api.work.WorkQueue;
import dev.tilewright.api.worker.WorkerDevice;
import dev.tilewright.model.exchange.GpuTask;
import dev.tilewright.model.exchange.GpuTaskResult;
import dev.tilewright.model.exchange.Lease;
import dev.tilewright.model.exchange.Report;
import dev.tilewright.model.exchange.ReportBatch;
import dev.tilewright.model.exchange.Work;
import dev.tilewright.model.trial.TestbedKind;
import dev.tilewright.space.families.FamilyBuild;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import org.springframework.stereotype.Service;
import org.springframework.transaction.support.TransactionTemplate;

/** Leases work that is no part of a study, to GPUs and to the emulator, and takes what came of it. */
@Service
record TaskLeases(
        TaskRepository tasks,
        StudySpaces spaces,
        Refusals refusals,
        FamilyBuild build,
        WorkQueue queue,
        Leases leases,
        QueueRules rules,
        LeaseMeters meters,
        DeviceMeters devices,
        ServiceSettings settings,
        TransactionTemplate transactions,
        Clock clock) {

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
                taker.selectors(),
                taker.families().stream()
                        .filter(maker -> refusals.misfit(maker, device).isEmpty())
                        .toList());
        Optional<Claimed> oldest =
                transactions.execute(status -> tasks.queued(asking, null).map(task -> claim(task, device)));
        if (oldest.isPresent()) {
            return new Taken(oldest.map(claimed -> lease(claimed, device)), false);
        }
        List<TaskRepository.RefusedTask> refused = tasks.refused(device.workerId());
        Optional<Claimed> again = refusedByAll(refused, clock.instant())
                .flatMap(task -> transactions.execute(
                        status -> tasks.queued(asking, task).map(queued -> claim(queued, device))));
        return new Taken(again.map(claimed -> lease(claimed, device)), !refused.isEmpty());
    }

    /** A task that this worker has refused and that no other live worker may take: its device may be in order again. */
    private Optional<UUID> refusedByAll(List<TaskRepository.RefusedTask> refused, Instant now) {
        Instant before = now.minus(PAUSE_AFTER_REFUSAL);
        return refused.stream()
                .filter(task -> !task.refusedAt().isAfter(before) && !refusals.isLeftToOthers(task))
                .map(TaskRepository.RefusedTask::id)
                .findFirst();
    }

    private record Claimed(LeaseRow lease, GpuTask task) {}

    private Claimed claim(TaskRepository.Queued queued, WorkerDevice device) {
        tasks.runsOn(queued.state().work().id(), device.testbedId());
        LeaseRow lease = queue.grant(List.of(queued.state()), device.workerId(), device.label())
                .getFirst();
        return new Claimed(lease, queued.task());
    }

    /** After the claim is committed: a task whose lease cannot be written would be claimed again by each device. */
    private Lease lease(Claimed claimed, WorkerDevice device) {
        LeaseRow lease = claimed.lease();
        GpuTask task = claimed.task();
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

    /**
     * Takes a report of a worker. One that is sent twice counts once.
     *
     * @throws ApiProblem 404 if the task is forgotten, 409 if the lease was lost, 422 if the report makes no sense
     */
    void report(UUID id, ReportBatch.LeaseReport said) {
        transactions.executeWithoutResult(status -> {
            tasks.hold(id);
            // The task may have been forgotten meanwhile, and its leases with it.
            LeaseRow lease = Optional.ofNullable(
                            leases.hold(List.of(said.leaseId())).get(said.leaseId()))
                    .orElseThrow(() -> ApiProblem.notFound("lease", said.leaseId()));
            if (leases.isOpen(lease, said.report().fence())) {
                store(id, lease, said.report());
            }
        });
    }

    private void store(UUID id, LeaseRow lease, Report report) {
        switch (report) {
            case Report.Ran(long _, GpuTaskResult result) -> {
                TaskRow row = tasks.get(id);
                TaskReportCheck.require(row.task(), result);
                leases.end(List.of(lease), LeaseRow.Ending.REPORTED);
                tasks.finish(id, result, clock.instant());
                if (result instanceof GpuTaskResult.Compared compared) {
                    meters.compared(compared.verdict());
                    OnCommit.run(() -> devices.compared(lease.workerId(), row, compared));
                }
            }
            case Report.Refused refused -> {
                queue.refuse(lease);
                if (!refused.saysThatTheWorkerStops()) {
                    refuse(id, lease.workerId(), refused.reason());
                }
            }
            case Report.Screened _, Report.Finished _ ->
                throw ApiProblem.invalid("/type", "the lease is of no study: report 'ran' or 'refused', got another");
        }
    }

    /** Ends a task that so many workers, or the only one so often, could not do. */
    private void refuse(UUID id, UUID workerId, String reason) {
        TaskRepository.RefusalCount count = tasks.refused(id, workerId, clock.instant());
        switch (rules.refused(count.times(), count.workers())) {
            case BACK -> {
                // Another worker may do it, or this one later.
            }
            case BY_WORKERS ->
                tasks.fail(
                        id, QueueRules.MOST_REFUSALS + " workers refused it; the last one: " + reason, clock.instant());
            case BY_THE_ONLY_ONE ->
                tasks.fail(
                        id,
                        "the only worker that may take it refused it " + QueueRules.MOST_REFUSALS
                                + " times; the last time: " + reason,
                        clock.instant());
        }
    }
}
