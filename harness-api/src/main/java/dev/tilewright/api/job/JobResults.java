package dev.tilewright.api.job;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.tilewright.api.study.Budget;
import dev.tilewright.api.study.StudyDocument;
import dev.tilewright.api.study.StudyRepository;
import dev.tilewright.api.study.StudyRow;
import dev.tilewright.api.study.StudyService;
import dev.tilewright.api.study.StudyState;
import dev.tilewright.api.study.TrialDocument;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Puts together the document that {@code GET /jobs/{id}/result} answers. */
@Service
class JobResults {

    /** Within one version properties are added, never removed or given another meaning. */
    private static final int SCHEMA_VERSION = 1;

    /** The result of a job. */
    record ResultDocument(int schemaVersion, JobLine job, List<StudyResult> studies) {}

    /** The job that it is the result of. */
    record JobLine(
            UUID id,
            String name,
            StudyState state,
            String strategy,
            Budget budget,
            long seed,
            String device,
            boolean check,
            Instant createdAt,
            @Nullable Instant finishedAt) {}

    /** A study and its trials. */
    record StudyResult(@JsonUnwrapped StudyDocument study, List<TrialDocument> trials) {}

    private final JobService jobs;
    private final StudyRepository studies;
    private final StudyService documents;

    JobResults(JobService jobs, StudyRepository studies, StudyService documents) {
        this.jobs = jobs;
        this.studies = studies;
        this.documents = documents;
    }

    /** The result so far; 404 if there is no such job. */
    @Transactional(readOnly = true)
    public ResultDocument of(UUID id) {
        JobRow job = jobs.row(id);
        return new ResultDocument(
                SCHEMA_VERSION,
                new JobLine(
                        job.id(),
                        job.name(),
                        job.state(),
                        job.strategy(),
                        job.budget(),
                        job.seed(),
                        job.device(),
                        job.check(),
                        job.createdAt(),
                        job.finishedAt()),
                studies.ofJob(id).stream().map(this::study).toList());
    }

    private StudyResult study(StudyRow row) {
        StudyService.Full full = documents.full(row.id());
        return new StudyResult(full.study(), full.trials());
    }
}
