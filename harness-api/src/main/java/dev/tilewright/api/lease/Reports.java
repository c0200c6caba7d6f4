package dev.tilewright.api.lease;

import dev.tilewright.api.check.CheckService;
import dev.tilewright.api.platform.http.ApiProblem;
import dev.tilewright.api.platform.http.ProblemType;
import dev.tilewright.api.study.FinalRepository;
import dev.tilewright.api.study.StudyRepository;
import dev.tilewright.api.study.StudyRow;
import dev.tilewright.api.study.SweepRepository;
import dev.tilewright.api.study.flow.StudyDriver;
import dev.tilewright.api.study.flow.StudyFlow;
import dev.tilewright.api.trial.MeasurementRepository;
import dev.tilewright.api.trial.TrialRepository;
import dev.tilewright.model.exchange.Report;
import dev.tilewright.model.exchange.ReportBatch;
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
public class Reports {

    private final StudyRepository studies;
    private final StudyFlow flow;
    private final StudyDriver driver;
    private final TrialRepository trials;
    private final MeasurementRepository measurements;
    private final FinalRepository finals;
    private final FinalReports finalReports;
    private final LeaseRepository leases;
    private final SweepRepository sweeps;
    private final Refusals refusals;
    private final CheckService checks;
    private final TrialEvents events;
    private final LeaseMeters meters;
    private final TransactionTemplate transactions;
    private final Clock clock;

    Reports(
            StudyRepository studies,
            StudyFlow flow,
            StudyDriver driver,
            TrialRepository trials,
            MeasurementRepository measurements,
            FinalRepository finals,
            FinalReports finalReports,
            LeaseRepository leases,
            SweepRepository sweeps,
            Refusals refusals,
            CheckService checks,
            TrialEvents events,
            LeaseMeters meters,
            TransactionTemplate transactions,
            Clock clock) {
        this.studies = studies;
        this.flow = flow;
        this.driver = driver;
        this.trials = trials;
        this.measurements = measurements;
        this.finals = finals;
        this.finalReports = finalReports;
        this.leases = leases;
        this.sweeps = sweeps;
        this.refusals = refusals;
        this.checks = checks;
        this.events = events;
        this.meters = meters;
        this.transactions = transactions;
        this.clock = clock;
    }

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
                refused.add(refusal(each.leaseId(), ApiProblem.notFound("lease", each.leaseId())));
            } else {
                byStudy.computeIfAbsent(studyId, study -> new ArrayList<>()).add(each);
            }
        }
        byStudy.forEach((studyId, own) -> {
            List<UUID> ended =
                    Objects.requireNonNull(transactions.execute(status -> take(studyId, own, refused, status)));
            driver.moved(studyId);
            keepChecks(workerId, own, ended);
        });
        return new ReportBatch.Receipt(refused);
    }

    /**
     * Keeps what the emulator said of the texts of trials that have just ended. Each by itself, for transactions that
     * hold several texts could wait for each other in a ring.
     *
     * @param ended leases of these trials
     */
    private void keepChecks(UUID workerId, List<ReportBatch.LeaseReport> reports, List<UUID> ended) {
        for (ReportBatch.LeaseReport each : reports) {
            if (each.report() instanceof Report.Screened screened
                    && screened.checked() != null
                    && screened.compilation() != null
                    && ended.contains(each.leaseId())) {
                checks.keep(screened.compilation().ptxHash(), workerId, screened.checked());
            }
        }
    }

    /** Returns the leases of trials that ended. */
    private List<UUID> take(
            UUID studyId,
            List<ReportBatch.LeaseReport> reports,
            List<ReportBatch.RefusedReport> refused,
            SavepointManager transaction) {
        StudyRow study = studies.lock(studyId).orElseThrow();
        // They are ended in the order of the reports, and somebody may take them back.
        leases.hold(reports.stream().map(ReportBatch.LeaseReport::leaseId).toList());
        List<UUID> ended = new ArrayList<>();
        for (ReportBatch.LeaseReport each : reports) {
            Object before = transaction.createSavepoint();
            try {
                if (take(study, each.leaseId(), each.report())) {
                    ended.add(each.leaseId());
                }
            } catch (ApiProblem problem) {
                refused.add(refusal(each.leaseId(), problem));
            } catch (DataIntegrityViolationException broken) {
                // A rule that only the database knows: sent again it would fail again, and hold up all behind it.
                transaction.rollbackToSavepoint(before);
                refused.add(refusal(each.leaseId(), new ApiProblem(ProblemType.INVALID, rule(broken))));
            }
            transaction.releaseSavepoint(before);
        }
        sweeps.add(studyId, ended);
        return ended;
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

    /**
     * Takes a report of a study that the caller holds. All that may be refused is asked before anything is written, so
     * a refused report leaves nothing behind in the transaction that it shares.
     *
     * <p>There is nothing to do if the report was taken before, or the lease was cancelled and its work is recorded as
     * such already.
     *
     * @param study as it was locked: whether it has accepted a report may have changed since
     * @return whether a trial ended by it
     * @throws ApiProblem if it is refused
     */
    private boolean take(StudyRow study, UUID leaseId, Report report) {
        // Read now that nobody else can end it, and anew for each: a report before may have ended the study.
        LeaseRow lease = leases.find(leaseId).orElseThrow();
        if (lease.fence() != report.fence()) {
            meters.stale();
            throw new ApiProblem(
                    ProblemType.STALE_LEASE,
                    "the fence of lease " + leaseId + " is " + lease.fence() + ", not " + report.fence());
        }
        if (lease.ending() != null) {
            if (lease.ending() == LeaseRow.Ending.EXPIRED || lease.ending() == LeaseRow.Ending.UNDELIVERED) {
                meters.stale();
                throw new ApiProblem(
                        ProblemType.STALE_LEASE, "lease " + leaseId + " expired: its work went back to the queue");
            }
            return false;
        }
        switch (report) {
            case Report.Screened screened -> takeScreened(study, lease, screened);
            case Report.Finished finished -> takeFinished(study, lease, finished);
            case Report.Refused refused -> takeRefused(study, lease, refused);
        }
        return report instanceof Report.Screened;
    }

    private void takeScreened(StudyRow study, LeaseRow lease, Report.Screened said) {
        UUID trialId = lease.trialId();
        if (trialId == null) {
            throw ApiProblem.invalid(
                    "/type", "the lease is of a final: report 'finished' or 'refused', got 'screened'");
        }
        ReportCheck.screened(said, study.bound().testbed().kind(), study.check());
        Report.Screened report = plausibility(study).judged(said);
        TrialRepository.Ended trial = trials.finish(study.id(), study.problem(), trialId, report, clock.instant());
        measurements.insert(
                study.id(),
                study.problem(),
                List.of(new MeasurementRepository.Measured(trialId, null, report.measurements())),
                clock.instant());
        end(lease, LeaseRow.Ending.REPORTED);
        if (!study.accepted()) {
            studies.accept(study.id());
        }
        events.finished(study, trial, lease.grantedAt());
    }

    private static Plausibility plausibility(StudyRow study) {
        return new Plausibility(study.problem(), study.bound().testbed());
    }

    private void takeFinished(StudyRow study, LeaseRow lease, Report.Finished said) {
        if (lease.trialId() != null) {
            throw ApiProblem.invalid(
                    "/type", "the lease is of a trial: report 'screened' or 'refused', got 'finished'");
        }
        finalReports.check(study, said);
        Report.Finished report = plausibility(study).judged(said);
        finalReports.store(study, report);
        end(lease, LeaseRow.Ending.REPORTED);
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
        leases.end(lease.id(), ending, clock.instant());
        meters.ended(ending, 1);
    }
}
