package dev.tilewright.model.exchange;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.tilewright.model.problem.Problem;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Work given to one worker for a while. Whoever reports must show the fence; when the lease was lost to another worker,
 * the fence is no longer the newest and the report is refused.
 *
 * @param fence grows with each lease of the same work
 * @param ttlMs how long the lease lives without a heartbeat, in milliseconds
 * @param jobId {@code null} for work that is no part of a study, as is the following
 * @param studyId that it is a part of
 * @param problem what to compute
 * @param familyBuild id of the API's build of the families; a worker with another one refuses the lease
 * @param spaceHashes of each family whose kernels the worker builds, the hash of the API's search space for this
 *     problem and device; likewise. A study has one family, a task may have several or none
 * @param seed for the data
 * @param check whether the text of a kernel must be proved on the emulator before it may run
 */
public record Lease(
        UUID leaseId,
        long fence,
        long ttlMs,
        @Nullable UUID jobId,
        @Nullable UUID studyId,
        Problem problem,
        String familyBuild,
        Map<String, String> spaceHashes,
        long seed,
        boolean check,
        Work work) {

    public Lease {
        spaceHashes = Collections.unmodifiableMap(new TreeMap<>(spaceHashes));
    }

    /**
     * The family of the study that it is of.
     *
     * @throws IllegalStateException if it is of no study
     */
    @JsonIgnore
    public String family() {
        if (studyId == null || spaceHashes.size() != 1) {
            throw new IllegalStateException(
                    "a lease of a study has one family, got " + spaceHashes.keySet() + " of study " + studyId);
        }
        return spaceHashes.keySet().iterator().next();
    }
}
