package dev.tilewright.api.gate;

import dev.tilewright.api.job.JobService;
import dev.tilewright.api.job.JobSpec;
import dev.tilewright.api.platform.http.ApiProblem;
import dev.tilewright.api.study.StudyService;
import dev.tilewright.gate.document.GateKernel;
import dev.tilewright.model.exchange.ConfigRequest;
import dev.tilewright.model.exchange.JobDocument;
import dev.tilewright.model.exchange.JobRequest;
import dev.tilewright.model.exchange.ProblemDocument;
import dev.tilewright.model.exchange.StudyDocument;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** The jobs by which cases are tuned again: jobs as any user submits them. */
@Component
class RetuneJobs {

    private final JobService jobs;
    private final StudyService studies;

    RetuneJobs(JobService jobs, StudyService studies) {
        this.jobs = jobs;
        this.studies = studies;
    }

    /**
     * The state of a job.
     *
     * @param fastest {@code null} before the end, and if there is none
     * @param trouble why there is none
     */
    record Tuned(boolean isOver, @Nullable GateKernel fastest, String trouble) {}

    /**
     * Checks one, without a connection.
     *
     * @throws ApiProblem if it is refused
     */
    JobSpec read(GateRunRow run, GateCaseRow each, int seconds) {
        GateKernel candidate = each.spec().candidate();
        return jobs.read(JobRequest.of(
                        List.of(ProblemDocument.inShort(each.spec().problem().problem())))
                .name(name(run.gate(), each.spec().name()))
                .family(candidate.family())
                .budget(new JobRequest.BudgetRequest(null, seconds, null))
                .seed(run.seed())
                .device(Objects.requireNonNull(run.address()).device())
                .build());
    }

    /** Stores one that was checked, inside the transaction that notes it. */
    UUID store(GateRunRow run, JobSpec job) {
        return jobs.store(job, run.submittedBy());
    }

    /** A job's name has a limit, and so has that of a case. */
    private static String name(String gate, String caseName) {
        String before = "gate " + gate + ": ";
        String behind = " tuned again";
        int room = JobService.LONGEST_NAME - before.length() - behind.length();
        return before + caseName.substring(0, Math.min(caseName.length(), room)) + behind;
    }

    Tuned tuned(UUID job) {
        try {
            JobDocument known = jobs.find(job);
            if (!known.job().state().isOver()) {
                return new Tuned(false, null, "");
            }
            StudyDocument study = studies.study(known.studies().getFirst().id());
            StudyDocument.BestDocument best = study.best();
            return best == null
                    ? new Tuned(true, null, Objects.requireNonNullElse(study.error(), "it is " + study.state()))
                    : new Tuned(
                            true,
                            new GateKernel(study.family(), ConfigRequest.of(best.config()), null, null, null, null),
                            "");
        } catch (ApiProblem gone) {
            return new Tuned(true, null, "it was deleted");
        }
    }

    /** Nobody waits for it any more. */
    void drop(UUID job) {
        jobs.drop(job);
    }
}
