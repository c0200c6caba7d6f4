package dev.tilewright.api.work;

import java.util.Collection;
import java.util.List;
import java.util.UUID;

/** A feature that has work of one type: where its work is stored, and what follows when it is given up. */
public interface WorkKind {

    WorkId.Type type();

    /**
     * Holds the owner of work until the transaction ends; whoever changes work or its leases holds that first.
     *
     * @return false if there is none
     */
    boolean holdOwner(UUID owner);

    /** How work stands whose owner the caller holds. */
    List<Standing> standing(Collection<WorkId> works);

    /** Stores how work stands now. */
    void write(Collection<Standing> changed);

    /**
     * Ends work for good, and whatever cannot go on without it.
     *
     * @param lease the last of its leases, which has just ended
     * @param why in words for users
     */
    void giveUp(LeaseRow lease, String why);
}
