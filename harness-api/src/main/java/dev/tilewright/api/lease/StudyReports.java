package dev.tilewright.api.lease;

import dev.tilewright.api.platform.http.ApiProblem;
import dev.tilewright.api.platform.http.ProblemType;
import dev.tilewright.api.study.StudyRepository;
import dev.tilewright.api.study.StudyRow;
import dev.tilewright.api.study.flow.StudyFlow;
import dev.tilewright.model.exchange.FinalResult;
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
import org.springframework.stereotype.Service;

/** Takes the reports of one study, which the caller holds. */
@Service
record StudyReports(
        StudyRepository studies,
        StudyFlow flow,
        Screens screens,
        FinalReports finals,
        LeasedWork work,
        LeaseRepository leases,
        Refusals refusals,
        LeaseMeters meters,
        DeviceMeters devices,
        Clock clock) {

    /** A report that is not taken, and why. */
    record RefusedLease(UUID leaseId, ApiProblem problem) {}

    /**
     * The outcome of some reports.
     *
     * @param ended leases of trials that ended
     */
    record Taken(List<UUID> ended, List<RefusedLease> refused) {}

    /**
     * Takes screens, or one report of another kind.
     *
     * @param study as it was locked: whether it has accepted a report may have changed since
     */
    Taken take(StudyRow study, List<ReportBatch.LeaseReport> reports) {
        // Read now that nobody else can end them, and anew for each part: one before may have ended the study.
        Map<UUID, LeaseRow> held = leases.hold(
                reports.stream().map(ReportBatch.LeaseReport::leaseId).toList());
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
        finals.check(study, said.result());
        FinalResult result = new Plausibility(study.problem(), study.bound().testbed()).judged(said.result());
        finals.store(study, result);
        end(lease, LeaseRow.Ending.REPORTED);
        devices.finished(lease, study.bound().testbed(), result);
        studies.accept(study.id());
        boolean survived = result.arms().stream()
                .anyMatch(arm -> arm.trialId() != null
                        && arm.outcome() == TrialOutcome.COMPLETED
                        && arm.measurements().stream().anyMatch(measurement -> measurement.stage() == Stage.FINAL));
        flow.end(study, survived ? null : "no finalist completed the final: " + result.log());
    }

    private void takeRefused(StudyRow study, LeaseRow lease, Report.Refused report) {
        end(lease, LeaseRow.Ending.REFUSED);
        work.requeue(lease, false);
        if (report.saysThatTheWorkerStops()) {
            return;
        }
        refusals.note(study, lease.workerId());
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
