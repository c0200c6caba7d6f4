package dev.tilewright.model.exchange;

import dev.tilewright.model.problem.Problem;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Work given to one worker for a while. Whoever reports must show the fence; when the lease was lost to another worker,
 * the fence is no longer the newest and the report is refused.
 *
 * @param fence grows with each lease of the same work
 * @param ttlMs how long the lease lives without a heartbeat, in milliseconds
 * @param studyId {@code null} for work that is no part of a study
 * @param problem what to compute
 * @param family kernel family of the configs
 * @param familyBuild id of the API's build of the family; a worker with another one refuses the lease
 * @param spaceHash hash of the API's search space of the family for this problem and device; likewise
 * @param seed for the data
 * @param check whether the text of a kernel must be proved on the emulator before it may run
 */
public record Lease(
        UUID leaseId,
        long fence,
        long ttlMs,
        @Nullable UUID studyId,
        Problem problem,
        String family,
        String familyBuild,
        String spaceHash,
        long seed,
        boolean check,
        Work work) {}
