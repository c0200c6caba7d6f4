package dev.tilewright.api.platform.database;

import java.util.Locale;

/** A channel on which triggers of the schema notify, each with its payload. */
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
