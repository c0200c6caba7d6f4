package dev.tilewright.api.lease;

import dev.tilewright.api.platform.http.ApiProblem;
import dev.tilewright.api.platform.http.ProblemType;
import dev.tilewright.api.study.FinalRepository;
import dev.tilewright.api.study.StudyRepository;
import dev.tilewright.api.study.StudyRow;
import dev.tilewright.api.trial.MeasurementRepository;
import dev.tilewright.api.trial.TrialRepository;
import dev.tilewright.model.exchange.Report;
import dev.tilewright.model.trial.Stage;
import dev.tilewright.model.trial.TrialOutcome;
import java.time.Clock;
import java.util.UUID;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Takes what workers report, once for each lease. */
@Service
public class Reports {

    private final StudyRepository studies;
    private final StudyFlow flow;
    private final TrialRepository trials;
    private final MeasurementRepository measurements;
    private final FinalRepository finals;
    private final FinalReports finalReports;
    private final LeaseRepository leases;
    private final Refusals refusals;
    private final TrialEvents events;
    private final LeaseMeters meters;
    private final Clock clock;

    Reports(
            StudyRepository studies,
            StudyFlow flow,
            TrialRepository trials,
            MeasurementRepository measurements,
            FinalRepository finals,
            FinalReports finalReports,
            LeaseRepository leases,
            Refusals refusals,
            TrialEvents events,
            LeaseMeters meters,
            Clock clock) {
        this.studies = studies;
        this.flow = flow;
        this.trials = trials;
        this.measurements = measurements;
        this.finals = finals;
        this.finalReports = finalReports;
        this.leases = leases;
        this.refusals = refusals;
        this.events = events;
        this.meters = meters;
        this.clock = clock;
    }

    /**
     * Takes a report. The same one again changes nothing; one of a cancelled lease is dropped, because its work is
     * recorded as cancelled already.
     *
     * @throws ApiProblem 404 for an unknown lease, 409 if the work was leased to somebody else since, 422 if it makes
     *     no sense
     */
    @Transactional
    public void take(UUID leaseId, Report report) {
        UUID studyId = leases.find(leaseId)
                .orElseThrow(() -> ApiProblem.notFound("lease", leaseId))
                .studyId();
        StudyRow study = studies.lock(studyId).orElseThrow();
        // Again, now that nobody else can end it.
        LeaseRow lease = leases.find(leaseId).orElseThrow();
        if (lease.fence() != report.fence()) {
            meters.stale();
            throw new ApiProblem(
                    ProblemType.STALE_LEASE,
                    "the fence of lease " + leaseId + " is " + lease.fence() + ", not " + report.fence());
        }
        if (lease.ending() != null) {
            if (lease.ending() == LeaseRow.Ending.EXPIRED) {
                meters.stale();
                throw new ApiProblem(
                        ProblemType.STALE_LEASE, "lease " + leaseId + " expired: its work went back to the queue");
            }
            return;
        }
        switch (report) {
            case Report.Screened screened -> takeScreened(study, lease, screened);
            case Report.Finished finished -> takeFinished(study, lease, finished);
            case Report.Refused refused -> takeRefused(study, lease, refused);
        }
        flow.advance(studyId);
    }

    private void takeScreened(StudyRow study, LeaseRow lease, Report.Screened report) {
        UUID trialId = lease.trialId();
        if (trialId == null) {
            throw ApiProblem.invalid(
                    "/type", "the lease is of a final: report 'finished' or 'refused', got 'screened'");
        }
        ReportCheck.screened(report, study.bound().testbed().kind(), study.check());
        trials.finish(trialId, report, clock.instant());
        measurements.insert(study.id(), trialId, null, report.measurements(), clock.instant());
        end(lease, LeaseRow.Ending.REPORTED);
        studies.accept(study.id());
        events.finished(study, trialId, lease.grantedAt());
    }

    private void takeFinished(StudyRow study, LeaseRow lease, Report.Finished report) {
        if (lease.trialId() != null) {
            throw ApiProblem.invalid(
                    "/type", "the lease is of a trial: report 'screened' or 'refused', got 'finished'");
        }
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
        if (!study.accepted() && refusals.nobodyIsLeft(study)) {
            flow.end(study, "every worker that may take it refused the work; the last one: " + report.reason());
        }
    }

    private void end(LeaseRow lease, LeaseRow.Ending ending) {
        leases.end(lease.id(), ending, clock.instant());
        meters.ended(ending, 1);
    }
}
