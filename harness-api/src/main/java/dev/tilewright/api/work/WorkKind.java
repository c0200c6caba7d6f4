package dev.tilewright.api.work;

import java.util.Set;
import java.util.UUID;

/** A feature that has work: its rows that are held while work changes, and what follows when work is given up. */
public interface WorkKind {

    /** Types of its work. */
    Set<WorkId.Type> types();

    /**
     * Holds the owner of work until the transaction ends; whoever changes work or its leases holds that first.
     *
     * @return false if there is none
     */
    boolean holdOwner(UUID owner);

    /**
     * Ends work for good, and whatever cannot go on without it.
     *
     * @param lease the last of its leases, which has just ended
     * @param why in words for users
     */
    void giveUp(LeaseRow lease, String why);
}
