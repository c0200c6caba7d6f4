package dev.tilewright.model.exchange;

import java.util.List;

/**
 * Answer to a {@link LeaseRequest}.
 *
 * @param leases at most as many as asked for; empty if there is nothing to do, or if work came while the request waited
 */
public record LeaseGrant(List<Lease> leases) {}
