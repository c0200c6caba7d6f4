package dev.tilewright.model.exchange;

import java.util.List;
import java.util.UUID;

/**
 * A worker is still at work on these leases.
 *
 * @param raced those of them whose race is over, so that their finalists are timed now
 */
public record Heartbeat(UUID workerId, List<UUID> leases, List<UUID> raced) {

    /**
     * Answer to a heartbeat.
     *
     * @param stop leases to drop at once: cancelled, or lost to another worker
     */
    public record Reply(List<UUID> stop) {}
}
