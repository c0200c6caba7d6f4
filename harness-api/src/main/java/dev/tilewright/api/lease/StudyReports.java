package dev.tilewright.api.lease;

import dev.tilewright.api.platform.http.ApiProblem;
import dev.tilewright.api.study.StudyRepository;
import dev.tilewright.api.study.StudyRow;
import dev.tilewright.api.study.flow.StudyFlow;
import dev.tilewright.api.work.LeaseRow;
import dev.tilewright.api.work.Leases;
import dev.tilewright.api.work.WorkId;
import dev.tilewright.api.work.WorkQueue;
import dev.tilewright.model.exchange.FinalResult;
import dev.tilewright.model.exchange.Report;
import dev.tilewright.model.exchange.ReportBatch;
import dev.tilewright.model.trial.Stage;
import dev.tilewright.model.trial.TrialOutcome;
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
        Leases leases,
        WorkQueue queue,
        Refusals refusals,
        DeviceMeters devices) {

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
                if (leases.isOpen(lease, each.report().fence()) && !screened.containsKey(lease.id())) {
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

    private void takeFinished(StudyRow study, LeaseRow lease, Report.Finished said) {
        if (lease.work().type() == WorkId.Type.SCREEN) {
            throw ApiProblem.invalid(
                    "/type", "the lease is of a trial: report 'screened' or 'refused', got 'finished'");
        }
        finals.check(study, said.result());
        FinalResult result = new Plausibility(study.problem(), study.bound().testbed()).judged(said.result());
        finals.store(study, result);
        leases.end(List.of(lease), LeaseRow.Ending.REPORTED);
        devices.finished(lease, study.bound().testbed(), result);
        studies.accept(study.id());
        boolean survived = result.arms().stream()
                .anyMatch(arm -> arm.trialId() != null
                        && arm.outcome() == TrialOutcome.COMPLETED
                        && arm.measurements().stream().anyMatch(measurement -> measurement.stage() == Stage.FINAL));
        flow.end(study, survived ? null : "no finalist completed the final: " + result.log());
    }

    private void takeRefused(StudyRow study, LeaseRow lease, Report.Refused report) {
        queue.refuse(lease);
        if (report.saysThatTheWorkerStops()) {
            return;
        }
        refusals.note(study, lease.workerId());
        boolean accepted = studies.find(study.id()).orElseThrow().accepted();
        if (!accepted && refusals.nobodyIsLeft(study)) {
            flow.end(study, "every worker that may take it refused the work; the last one: " + report.reason());
        }
    }
}
