package dev.tilewright.api.lease;

import dev.tilewright.api.check.CheckService;
import dev.tilewright.api.kernel.KernelService;
import dev.tilewright.api.platform.http.ApiProblem;
import dev.tilewright.api.platform.http.ProblemType;
import dev.tilewright.api.study.FinalRepository;
import dev.tilewright.api.study.StudyRepository;
import dev.tilewright.api.study.StudyRow;
import dev.tilewright.api.study.flow.StudyDriver;
import dev.tilewright.api.study.flow.StudyFlow;
import dev.tilewright.api.trial.TrialRepository;
import dev.tilewright.model.exchange.KernelFiles;
import dev.tilewright.model.exchange.Report;
import dev.tilewright.model.exchange.ReportBatch;
import dev.tilewright.model.exchange.TrialResult;
import dev.tilewright.model.trial.Stage;
import dev.tilewright.model.trial.TrialOutcome;
import java.time.Clock;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.stereotype.Service;
import org.springframework.transaction.SavepointManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Takes what workers report, once for each lease. */
@Service
record Reports(
        StudyRepository studies,
        StudyFlow flow,
        StudyDriver driver,
        TrialRepository trials,
        Screens screens,
        FinalRepository finals,
        FinalReports finalReports,
        LeaseRepository leases,
        TaskLeases tasks,
        Refusals refusals,
        CheckService checks,
        KernelService kernels,
        LeaseMeters meters,
        DeviceMeters devices,
        TransactionTemplate transactions,
        Clock clock) {

    /**
     * Takes reports, those of each study in one transaction: a study is locked and written to the disk once for all of
     * them, and moved on by its driver afterwards. No transaction holds two studies, so batches cannot wait for each
     * other in a ring. Where one fails, those before it are committed; the batch is sent again and changes nothing
     * there.
     *
     * @param workerId who reports
     * @return those that were refused: 404 for a lease that is not one of this worker's, 409 if the work was leased to
     *     somebody else since, 422 if the report makes no sense or cannot be stored
     */
    public ReportBatch.Receipt take(UUID workerId, List<ReportBatch.LeaseReport> reports) {
        Map<UUID, UUID> studyOf = leases.studies(
                workerId, reports.stream().map(ReportBatch.LeaseReport::leaseId).toList());
        List<ReportBatch.RefusedReport> refused = new ArrayList<>();
        Map<UUID, List<ReportBatch.LeaseReport>> byStudy = new LinkedHashMap<>();
        for (ReportBatch.LeaseReport each : reports) {
            UUID studyId = studyOf.get(each.leaseId());
            if (studyId == null) {
                takeOfTask(workerId, each, refused);
            } else {
                byStudy.computeIfAbsent(studyId, study -> new ArrayList<>()).add(each);
            }
        }
        byStudy.forEach((studyId, own) -> {
            List<UUID> ended =
                    Objects.requireNonNull(transactions.execute(status -> take(studyId, own, refused, status)));
            driver.moved(studyId);
            keepWhatTextsSay(workerId, own, ended);
        });
        return new ReportBatch.Receipt(refused);
    }

    private void takeOfTask(UUID workerId, ReportBatch.LeaseReport each, List<ReportBatch.RefusedReport> refused) {
        try {
            tasks.report(workerId, each.leaseId(), each.report());
        } catch (ApiProblem problem) {
            refused.add(refusal(each.leaseId(), problem));
        }
    }

    /**
     * Keeps the kernels of trials that have just ended, and what the emulator said of their texts; each check by
     * itself, for transactions that hold several texts could wait for each other in a ring. Whoever dies in between
     * loses what can be built again.
     *
     * @param ended leases of these trials
     */
    private void keepWhatTextsSay(UUID workerId, List<ReportBatch.LeaseReport> reports, List<UUID> ended) {
        Map<UUID, KernelFiles> kept = new LinkedHashMap<>();
        for (ReportBatch.LeaseReport each : reports) {
            if (each.report() instanceof Report.Screened(var _, TrialResult result, KernelFiles files)
                    && result.compilation() != null
                    && ended.contains(each.leaseId())) {
                if (result.checked() != null) {
                    checks.keep(result.compilation().ptxHash(), workerId, result.checked());
                }
                if (files != null) {
                    kept.put(each.leaseId(), files);
                }
            }
        }
        if (!kept.isEmpty()) {
            kernels.keep(kept);
        }
    }

    /** Returns the leases of trials that ended. */
    private List<UUID> take(
            UUID studyId,
            List<ReportBatch.LeaseReport> reports,
            List<ReportBatch.RefusedReport> refused,
            SavepointManager transaction) {
        StudyRow study = studies.lock(studyId).orElseThrow();
        // All at once, by id, and before any savepoint, which would let go of them: a part of them is held again below.
        leases.hold(ids(reports));
        List<UUID> ended = new ArrayList<>();
        for (List<ReportBatch.LeaseReport> part : parts(reports)) {
            ended.addAll(take(study, part, refused, transaction));
        }
        return ended;
    }

    private static List<UUID> ids(List<ReportBatch.LeaseReport> reports) {
        return reports.stream().map(ReportBatch.LeaseReport::leaseId).toList();
    }

    /** In their order: screens that follow each other are stored together, whatever else comes may end the study. */
    private static List<List<ReportBatch.LeaseReport>> parts(List<ReportBatch.LeaseReport> reports) {
        List<List<ReportBatch.LeaseReport>> parts = new ArrayList<>();
        boolean together = false;
        for (ReportBatch.LeaseReport each : reports) {
            boolean screened = each.report() instanceof Report.Screened;
            if (!screened || !together) {
                parts.add(new ArrayList<>());
            }
            parts.getLast().add(each);
            together = screened;
        }
        return parts;
    }

    /**
     * Takes a part. All that may be refused is asked before anything is written, so a refused report leaves nothing
     * behind in the transaction that it shares. Where the database refuses, each report of the part is taken by itself.
     */
    private List<UUID> take(
            StudyRow study,
            List<ReportBatch.LeaseReport> part,
            List<ReportBatch.RefusedReport> refused,
            SavepointManager transaction) {
        Object before = transaction.createSavepoint();
        try {
            Taken taken = take(study, part);
            for (RefusedLease each : taken.refused()) {
                if (each.problem().type() == ProblemType.STALE_LEASE) {
                    meters.stale();
                }
                refused.add(refusal(each.leaseId(), each.problem()));
            }
            return taken.ended();
        } catch (DataIntegrityViolationException broken) {
            transaction.rollbackToSavepoint(before);
            if (part.size() > 1) {
                return part.stream()
                        .flatMap(each -> take(study, List.of(each), refused, transaction).stream())
                        .toList();
            }
            // A rule that only the database knows: sent again it would fail again, and hold up all behind it.
            refused.add(refusal(part.getFirst().leaseId(), new ApiProblem(ProblemType.INVALID, rule(broken))));
            return List.of();
        } finally {
            transaction.releaseSavepoint(before);
        }
    }

    private static String rule(DataIntegrityViolationException broken) {
        return "the report cannot be stored: "
                + String.valueOf(broken.getMostSpecificCause().getMessage())
                        .lines()
                        .findFirst()
                        .orElse("a rule of the database is broken");
    }

    private static ReportBatch.RefusedReport refusal(UUID leaseId, ApiProblem problem) {
        return new ReportBatch.RefusedReport(
                leaseId,
                problem.type().uri().toString(),
                problem.type().title(),
                problem.type().status().value(),
                String.valueOf(problem.getMessage()),
                problem.faults().stream()
                        .map(fault -> new ReportBatch.ReportFault(fault.pointer(), fault.detail()))
                        .toList());
    }

    private record RefusedLease(UUID leaseId, ApiProblem problem) {}

    /**
     * What came of a part.
     *
     * @param ended leases of trials that ended
     */
    private record Taken(List<UUID> ended, List<RefusedLease> refused) {}

    /**
     * Takes reports of a study that the caller holds: screens, or one of another kind.
     *
     * @param study as it was locked: whether it has accepted a report may have changed since
     */
    private Taken take(StudyRow study, List<ReportBatch.LeaseReport> reports) {
        // Read now that nobody else can end them, and anew for each part: one before may have ended the study.
        Map<UUID, LeaseRow> held = leases.hold(ids(reports));
        Map<UUID, Screens.Judged> screened = new LinkedHashMap<>();
        List<RefusedLease> refused = new ArrayList<>();
        for (ReportBatch.LeaseReport each : reports) {
            try {
                LeaseRow lease = Objects.requireNonNull(held.get(each.leaseId()));
                if (isOpen(lease, each.report()) && !screened.containsKey(lease.id())) {
                    switch (each.report()) {
                        case Report.Screened said -> screened.put(lease.id(), screens.judged(study, lease, said));
                        case Report.Finished said -> takeFinished(study, lease, said);
                        case Report.Refused said -> takeRefused(study, lease, said);
                        case Report.Ran _ ->
                            throw ApiProblem.invalid(
                                    "/type", "the lease is of a study: report what came of it, got 'ran'");
                    }
                }
            } catch (ApiProblem problem) {
                refused.add(new RefusedLease(each.leaseId(), problem));
            }
        }
        return new Taken(screens.store(study, List.copyOf(screened.values())), refused);
    }

    /**
     * Whether there is something to do: not if the report was taken before, or the lease was cancelled and its work is
     * recorded as such already.
     *
     * @throws ApiProblem if the lease was lost
     */
    private static boolean isOpen(LeaseRow lease, Report report) {
        if (lease.fence() != report.fence()) {
            throw new ApiProblem(
                    ProblemType.STALE_LEASE,
                    "the fence of lease " + lease.id() + " is " + lease.fence() + ", not " + report.fence());
        }
        if (lease.ending() == LeaseRow.Ending.EXPIRED || lease.ending() == LeaseRow.Ending.UNDELIVERED) {
            throw new ApiProblem(
                    ProblemType.STALE_LEASE, "lease " + lease.id() + " expired: its work went back to the queue");
        }
        return lease.ending() == null;
    }

    private void takeFinished(StudyRow study, LeaseRow lease, Report.Finished said) {
        if (lease.trialId() != null) {
            throw ApiProblem.invalid(
                    "/type", "the lease is of a trial: report 'screened' or 'refused', got 'finished'");
        }
        finalReports.check(study, said);
        Report.Finished report = new Plausibility(study.problem(), study.bound().testbed()).judged(said);
        finalReports.store(study, report);
        end(lease, LeaseRow.Ending.REPORTED);
        devices.finished(lease, study.bound().testbed(), report);
        studies.accept(study.id());
        boolean survived = report.arms().stream()
                .anyMatch(arm -> arm.trialId() != null
                        && arm.outcome() == TrialOutcome.COMPLETED
                        && arm.measurements().stream().anyMatch(measurement -> measurement.stage() == Stage.FINAL));
        flow.end(study, survived ? null : "no finalist completed the final: " + report.log());
    }

    private void takeRefused(StudyRow study, LeaseRow lease, Report.Refused report) {
        end(lease, LeaseRow.Ending.REFUSED);
        if (lease.trialId() == null) {
            finals.requeue(study.id(), false);
        } else {
            trials.requeue(lease.trialId(), false);
        }
        refusals.note(study, lease.workerId(), report.reason());
        boolean accepted = studies.find(study.id()).orElseThrow().accepted();
        if (!accepted && refusals.nobodyIsLeft(study)) {
            flow.end(study, "every worker that may take it refused the work; the last one: " + report.reason());
        }
    }

    private void end(LeaseRow lease, LeaseRow.Ending ending) {
        leases.end(List.of(lease.id()), ending, clock.instant());
        meters.ended(ending, 1);
    }
}
