package dev.tilewright.model.exchange;

import java.util.List;

/**
 * Answer to a {@link LeaseRequest}.
 *
 * @param leases at most as many as asked for; empty if there is nothing to do
 * @param retryAfterMs when to ask again if there was nothing, in milliseconds
 */
public record LeaseGrant(List<Lease> leases, long retryAfterMs) {}
