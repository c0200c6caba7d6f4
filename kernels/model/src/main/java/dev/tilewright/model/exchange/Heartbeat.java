package dev.tilewright.model.exchange;

import java.util.List;
import java.util.UUID;

/** A worker is still at work on these leases. */
public record Heartbeat(UUID workerId, List<UUID> leases) {

    /**
     * Answer to a heartbeat.
     *
     * @param stop leases to drop at once: cancelled, or lost to another worker
     */
    public record Reply(List<UUID> stop) {}
}
