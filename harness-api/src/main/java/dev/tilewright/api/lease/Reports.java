package dev.tilewright.api.lease;

import dev.tilewright.api.platform.http.ApiProblem;
import dev.tilewright.api.platform.http.ProblemType;
import dev.tilewright.api.study.StudyRepository;
import dev.tilewright.api.study.StudyRow;
import dev.tilewright.api.study.flow.StudyDriver;
import dev.tilewright.api.work.LeaseRepository;
import dev.tilewright.api.work.Leases;
import dev.tilewright.api.work.WorkId;
import dev.tilewright.model.exchange.Report;
import dev.tilewright.model.exchange.ReportBatch;
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
        StudyReports ofStudies,
        StudyDriver driver,
        LeaseRepository stored,
        Leases leases,
        TaskLeases tasks,
        ReportedTexts texts,
        LeaseMeters meters,
        TransactionTemplate transactions) {

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
        Map<UUID, WorkId> works = stored.works(
                workerId, reports.stream().map(ReportBatch.LeaseReport::leaseId).toList());
        List<ReportBatch.RefusedReport> refused = new ArrayList<>();
        Map<UUID, List<ReportBatch.LeaseReport>> byStudy = new LinkedHashMap<>();
        for (ReportBatch.LeaseReport each : reports) {
            WorkId work = works.get(each.leaseId());
            switch (work == null ? null : work.type()) {
                case null -> refused.add(refusal(each.leaseId(), ApiProblem.notFound("lease", each.leaseId())));
                case TASK -> takeOfTask(work, each, refused);
                case SCREEN, FINAL ->
                    byStudy.computeIfAbsent(work.owner(), study -> new ArrayList<>())
                            .add(each);
            }
        }
        byStudy.forEach((studyId, own) -> {
            List<UUID> ended =
                    Objects.requireNonNull(transactions.execute(status -> take(studyId, own, refused, status)));
            driver.moved(studyId);
            texts.keep(workerId, own, ended);
        });
        return new ReportBatch.Receipt(refused);
    }

    private void takeOfTask(WorkId work, ReportBatch.LeaseReport each, List<ReportBatch.RefusedReport> refused) {
        try {
            tasks.report(work.id(), each);
        } catch (ApiProblem problem) {
            refused.add(refused(each.leaseId(), problem));
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
            StudyReports.Taken taken = ofStudies.take(study, part);
            for (StudyReports.RefusedLease each : taken.refused()) {
                refused.add(refused(each.leaseId(), each.problem()));
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

    private ReportBatch.RefusedReport refused(UUID leaseId, ApiProblem problem) {
        if (problem.type() == ProblemType.STALE_LEASE) {
            meters.stale();
        }
        return refusal(leaseId, problem);
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
}
