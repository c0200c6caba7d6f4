package dev.tilewright.api.work;

import java.time.Instant;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A lease: a piece of work is a worker's for a time.
 *
 * @param fence number of the lease among those of its work, from 1
 * @param begun whether the worker has named it in a heartbeat
 * @param expiresAt when it ends, unless a heartbeat comes before
 * @param endedAt {@code null} while it lives, as is the next
 */
public record LeaseRow(
        UUID id,
        WorkId work,
        UUID workerId,
        String device,
        long fence,
        int attempt,
        boolean begun,
        Instant grantedAt,
        Instant expiresAt,
        @Nullable Instant endedAt,
        @Nullable Ending ending) {

    /** Whether its worker has the work. */
    public boolean isLive() {
        return ending == null;
    }

    LeaseRow lasting(Instant granted, Instant until, boolean isBegun) {
        return new LeaseRow(id, work, workerId, device, fence, attempt, isBegun, granted, until, endedAt, ending);
    }

    LeaseRow ended(Ending how, Instant now) {
        return new LeaseRow(id, work, workerId, device, fence, attempt, begun, grantedAt, expiresAt, now, how);
    }

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
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
