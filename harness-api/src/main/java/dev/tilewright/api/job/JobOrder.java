package dev.tilewright.api.job;

import java.util.Locale;

/** In which order jobs are listed. Written in lower case. */
enum JobOrder {
    NEWEST("j.seq < a.seq", "j.seq desc"),
    OLDEST("j.seq > a.seq", "j.seq"),
    /** Of equal names the newer one first. */
    NAME("(j.name, -j.seq) > (a.name, -a.seq)", "j.name, j.seq desc");

    private final String after;
    private final String order;

    JobOrder(String after, String order) {
        this.after = after;
        this.order = order;
    }

    /** Whether job {@code j} comes after job {@code a}, as SQL. */
    String after() {
        return after;
    }

    /** The order of jobs {@code j}, as SQL. */
    String order() {
        return order;
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
