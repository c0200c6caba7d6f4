package dev.tilewright.api.lease;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A lease as Postgres has it.
 *
 * @param trialId {@code null} if it is of the final of the study
 * @param ending {@code null} while it lives
 */
public record LeaseRow(
        UUID id,
        UUID studyId,
        @Nullable UUID trialId,
        UUID workerId,
        String device,
        long fence,
        int attempt,
        Instant grantedAt,
        @Nullable Instant endedAt,
        @Nullable Ending ending) {

    /** How a lease ended. */
    public enum Ending {
        REPORTED,
        REFUSED,
        /** The worker was lost. */
        EXPIRED,
        /** The worker never said that it has it, such as when the answer that granted it was lost. */
        UNDELIVERED,
        CANCELLED;

        @Override
        public String toString() {
            return name().toLowerCase(java.util.Locale.ROOT);
        }
    }
}
