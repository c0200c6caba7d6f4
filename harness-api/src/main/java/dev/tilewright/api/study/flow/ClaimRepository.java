package dev.tilewright.api.study.flow;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/**
 * Claims of drivers on studies: one driver at a time over all replicas of the service. A claim that is not renewed
 * ends, by the database's clock, which all replicas share. One that would end far later than any can has outlived a
 * clock that was set back, and is over.
 */
@Repository
record ClaimRepository(JdbcClient jdbc) {

    /** More than twice the life of any claim: one is given by a transaction that began a little later. */
    private static final String FREE =
            "(driven_by is null or driven_until < now() or driven_until > now() + interval '30 s')";

    /** Takes an open study; false if somebody else drives it or it is over. */
    boolean take(UUID studyId, UUID driver, Duration life) {
        return jdbc.sql("""
                        update study set driven_by = :driver, driven_until = now() + make_interval(secs => :seconds)
                        where id = :id and state in ('queued', 'running')
                          and (driven_by = :driver or %s)""".formatted(FREE))
                        .param("id", studyId)
                        .param("driver", driver)
                        .param("seconds", life.toMillis() / 1e3)
                        .update()
                == 1;
    }

    /** Whether a driver has the study still; asked in the transaction that writes what came of its thinking. */
    boolean holds(UUID studyId, UUID driver) {
        return jdbc.sql(
                        "select exists (select from study where id = :id and driven_by = :driver and driven_until >= now())")
                .param("id", studyId)
                .param("driver", driver)
                .query(Boolean.class)
                .single();
    }

    /**
     * Lets claims live on. A study that somebody holds at this moment is not waited for: the others have to live on.
     */
    void renew(Collection<UUID> studies, UUID driver, Duration life) {
        jdbc.sql("""
                update study set driven_until = now() + make_interval(secs => :seconds)
                where id in (select id from study where id in (:ids) and driven_by = :driver for no key update skip locked)""")
                .param("ids", studies)
                .param("driver", driver)
                .param("seconds", life.toMillis() / 1e3)
                .update();
    }

    void giveUp(UUID studyId, UUID driver) {
        jdbc.sql("update study set driven_by = null, driven_until = null where id = :id and driven_by = :driver")
                .param("id", studyId)
                .param("driver", driver)
                .update();
    }

    /**
     * A running study.
     *
     * @param idle whether nobody drives it at this moment
     */
    record Running(UUID id, boolean idle) {}

    /** Running studies, the oldest first. */
    List<Running> running() {
        return jdbc.sql("select id, %s as idle from study where state = 'running' order by seq".formatted(FREE))
                .query((row, number) -> new Running(row.getObject("id", UUID.class), row.getBoolean("idle")))
                .list();
    }
}
