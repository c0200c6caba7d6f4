package dev.tilewright.api.work;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * Keeps leases, and the state of work. It stores and locks, and decides nothing; each call is in the caller's
 * transaction.
 */
public interface WorkStore {

    /** Adds live leases. No two live leases are of the same work. */
    void add(Collection<LeaseRow> leases);

    /**
     * Stores what became of live leases, which the caller holds.
     *
     * @throws IllegalStateException if one has ended already
     */
    void write(Collection<LeaseRow> changed);

    /**
     * Waits for leases, holds them, and reads them. Several are held in the order of their ids, so no two wait in a
     * ring.
     */
    Map<UUID, LeaseRow> hold(Collection<UUID> ids);

    /**
     * The live leases among those of a worker, by id. Those that nobody else holds at this moment are held and have a
     * row; another counts as live.
     */
    Heard heard(UUID worker, Collection<UUID> ids);

    /** Live leases of a worker: all, and those that the caller holds. */
    record Heard(Set<UUID> live, List<LeaseRow> held) {}

    /** All live leases but those that somebody else holds; the caller holds them. */
    List<LeaseRow> holdFree();

    /** The live leases of an owner; the caller holds them, and their owner. */
    List<LeaseRow> holdLive(UUID owner);

    /** Owners of live leases that expire by then, with the type of their work. */
    Map<UUID, WorkId.Type> overdue(Instant now);

    /** How many workers were lost while they held work. */
    int lost(WorkId work);

    /** Reads the state of work. The caller holds its owner. */
    WorkState state(WorkId work);

    /**
     * Stores the states of works of one type, which the caller holds.
     *
     * @throws IllegalStateException if one is over already
     */
    void writeStates(Collection<WorkState> changed);
}
