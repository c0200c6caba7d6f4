package dev.tilewright.api.platform.database;

import java.util.Locale;

/** What triggers of the schema notify, with the payload of each. */
public enum Channel {
    /** Work that may be leased, or a change that background loops follow; the id of its testbed, or empty for any. */
    WORK,
    /** Events of a job; the id of the job. */
    EVENT;

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
