package dev.tilewright.api.retention;

import dev.tilewright.api.best.ServedStudies;
import dev.tilewright.api.platform.access.Caller;
import dev.tilewright.api.platform.http.ApiProblem;
import dev.tilewright.api.platform.http.ProblemType;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Deletes jobs, for users who ask for it and for the operator's rules. */
@Service
class JobRemoval {

    private static final Logger LOG = LoggerFactory.getLogger(JobRemoval.class);

    private final RetentionRepository rows;
    private final ServedStudies served;

    JobRemoval(RetentionRepository rows, ServedStudies served) {
        this.rows = rows;
        this.served = served;
    }

    /**
     * Deletes a job with all that belongs to it.
     *
     * @throws ApiProblem 404 if there is none, 403 if it is another's and the caller may delete its own alone, 409 if
     *     it is not over or a best config is served from it
     */
    @Transactional
    public void delete(UUID job, Caller caller) {
        RetentionRepository.Held held = rows.hold(job).orElseThrow(() -> ApiProblem.notFound("job", job));
        caller.requireMayDelete("job", job, held.submittedBy());
        if (!held.state().isOver()) {
            throw new ApiProblem(
                    ProblemType.NOT_OVER,
                    "job " + job + " is " + held.state() + ": cancel it first (POST /api/v1/jobs/" + job + "/cancel)");
        }
        Set<UUID> needed = served.all();
        List<UUID> best = held.studies().stream().filter(needed::contains).toList();
        if (!best.isEmpty()) {
            throw new ApiProblem(
                    ProblemType.IN_USE,
                    "job " + job + " stays: GET /api/v1/best serves the best known config of "
                            + (best.size() == 1 ? "a problem" : best.size() + " problems") + " from "
                            + (best.size() == 1 ? "its study " : "its studies ")
                            + String.join(
                                    ", ",
                                    best.stream().limit(5).map(UUID::toString).toList())
                            + (best.size() > 5 ? ", ..." : "")
                            + "; once a better one is known it can be deleted");
        }
        rows.delete(job);
        LOG.info("job {} was deleted by {}", job, caller.name());
    }

    /**
     * Deletes a job that reached its age, unless a best config is served from it or it went meanwhile.
     *
     * @param needed studies from which best configs are served
     * @return whether it was deleted
     */
    @Transactional
    public boolean expire(UUID job, Set<UUID> needed) {
        boolean goes = rows.hold(job)
                .filter(held -> held.state().isOver() && held.studies().stream().noneMatch(needed::contains))
                .isPresent();
        if (goes) {
            rows.delete(job);
        }
        return goes;
    }
}
