package dev.tilewright.api.work;

import java.util.UUID;

/** A feature that has work of one type: what is held while it changes, and what follows when it is given up. */
public interface WorkKind {

    WorkId.Type type();

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
