package dev.tilewright.api.lease;

import static dev.tilewright.api.platform.database.JsonColumn.at;

import dev.tilewright.api.platform.database.JsonColumn;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Table {@code lease}. */
@Repository
record LeaseRepository(JdbcClient jdbc, JsonColumn json) {

    /** Adds leases that live until then. */
    void insert(List<LeaseRow> leases, Instant expiresAt) {
        jdbc.sql("""
                insert into lease (id, study_id, trial_id, worker_id, device, fence, attempt, granted_at, expires_at)
                select r.id, r."studyId", r."trialId", r."workerId", r.device, r.fence, r.attempt, r."grantedAt", :expires
                from json_to_recordset(cast(:leases as json)) as r(id uuid, "studyId" uuid, "trialId" uuid, "workerId" uuid,
                    device text, fence bigint, attempt integer, "grantedAt" timestamptz)""")
                .param("leases", json.write(leases))
                .param("expires", at(expiresAt))
                .update();
    }

    /** The study of each lease of a worker; leases of others, and those that nobody knows, are left out. */
    Map<UUID, UUID> studies(UUID workerId, Collection<UUID> ids) {
        Map<UUID, UUID> studies = new HashMap<>();
        jdbc.sql("select id, study_id from lease where id = any(cast(:ids as uuid[])) and worker_id = :worker")
                .param("worker", workerId)
                .param("ids", texts(ids))
                .query(row -> {
                    studies.put(row.getObject("id", UUID.class), row.getObject("study_id", UUID.class));
                });
        return studies;
    }

    /** The studies of those of a worker's leases that are live finals. */
    List<UUID> finals(UUID workerId, Collection<UUID> ids) {
        return jdbc.sql("""
                select study_id from lease
                where id = any(cast(:ids as uuid[])) and worker_id = :worker and trial_id is null and ended_at is null""")
                .param("worker", workerId)
                .param("ids", texts(ids))
                .query(UUID.class)
                .list();
    }

    /**
     * Holds leases until the transaction ends, and reads them. Whoever changes several and waits for them takes them by
     * id: two that wait for each other's rows would wait for ever.
     */
    Map<UUID, LeaseRow> hold(Collection<UUID> ids) {
        Map<UUID, LeaseRow> leases = new HashMap<>();
        jdbc.sql("select * from lease where id = any(cast(:ids as uuid[])) order by id for no key update")
                .param("ids", texts(ids))
                .query(row -> {
                    LeaseRow lease = map(row);
                    leases.put(lease.id(), lease);
                });
        return leases;
    }

    private static String[] texts(Collection<UUID> ids) {
        return ids.stream().map(UUID::toString).toArray(String[]::new);
    }

    /**
     * Lets the worker's own live leases live on, which have begun by that; returns those. One that somebody holds at
     * this moment, such as the report that ends it, counts as live and is not waited for: should it live on, the next
     * heartbeat extends it.
     */
    Set<UUID> extend(UUID workerId, List<UUID> leases, Instant expiresAt) {
        if (leases.isEmpty()) {
            return Set.of();
        }
        return new HashSet<>(jdbc.sql("""
                with live as (select id from lease where id = any(cast(:ids as uuid[])) and worker_id = :worker and ended_at is null),
                free as (select id from lease where id in (select id from live) and ended_at is null
                    for no key update skip locked),
                extended as (update lease set expires_at = greatest(expires_at, :expires), begun = true
                    where id in (select id from free))
                select id from live""")
                .param("ids", texts(leases))
                .param("worker", workerId)
                .param("expires", at(expiresAt))
                .query(UUID.class)
                .list());
    }

    /** Live leases of a study that nobody extended in time. */
    List<LeaseRow> overdue(UUID studyId, Instant now) {
        return jdbc.sql("""
                select * from lease where study_id = :study and ended_at is null and expires_at <= :now order by id""")
                .param("study", studyId)
                .param("now", at(now))
                .query((row, number) -> map(row))
                .list();
    }

    /** Studies with such leases. */
    List<UUID> overdueStudies(Instant now) {
        return jdbc.sql("select distinct study_id from lease where ended_at is null and expires_at <= :now")
                .param("now", at(now))
                .query(UUID.class)
                .list();
    }

    /**
     * Lets all live leases live for so long from now on, and none be granted later than now; returns how many. One that
     * somebody holds is being reported, or has a heartbeat that lets it live.
     */
    int renew(Instant now, Duration life) {
        return jdbc.sql("""
                update lease set expires_at = :expires, granted_at = least(granted_at, :now)
                where id in (select id from lease where ended_at is null order by id for no key update skip locked)""")
                .param("expires", at(now.plus(life)))
                .param("now", at(now))
                .update();
    }

    /** Ends a lease that lives, and says how; empty if somebody was faster, or a heartbeat saved it. */
    Optional<LeaseRow.Ending> expire(UUID id, Instant now) {
        return jdbc.sql("""
                update lease set ended_at = :now, ending = case when begun then 'expired' else 'undelivered' end
                where id = :id and ended_at is null and expires_at <= :now returning ending""")
                .param("id", id)
                .param("now", at(now))
                .query((row, number) -> JsonColumn.word(row, "ending", LeaseRow.Ending.class))
                .optional();
    }

    /** Ends leases that must live. */
    void end(Collection<UUID> ids, LeaseRow.Ending ending, Instant now) {
        int changed = jdbc.sql("""
                update lease set ended_at = :now, ending = :ending
                where id = any(cast(:ids as uuid[])) and ended_at is null""")
                .param("ids", texts(ids))
                .param("ending", ending.toString())
                .param("now", at(now))
                .update();
        if (changed != ids.size()) {
            throw new IllegalStateException("of the leases " + ids + " some have ended already");
        }
    }

    /** How many leases of studies are live. */
    int live() {
        return jdbc.sql("select count(*) from lease where ended_at is null")
                .query(Integer.class)
                .single();
    }

    /** Ends all live leases of a study; returns how many. */
    int cancel(UUID studyId, Instant now) {
        return jdbc.sql("""
                update lease set ended_at = :now, ending = 'cancelled'
                where id in (select id from lease where study_id = :study and ended_at is null
                    order by id for no key update)""").param("study", studyId).param("now", at(now)).update();
    }

    /** Whether a worker ever reported work of a study. */
    boolean reported(UUID studyId, UUID workerId) {
        return jdbc.sql("""
                select exists (
                    select from lease where study_id = :study and worker_id = :worker and ending = 'reported')""")
                .param("study", studyId)
                .param("worker", workerId)
                .query(Boolean.class)
                .single();
    }

    /** How many workers were lost while they held this trial or, if {@code null}, the final of the study. */
    int lost(UUID studyId, @Nullable UUID trialId) {
        String work = trialId == null ? "trial_id is null" : "trial_id = :trial";
        return jdbc.sql("select count(*) from lease where study_id = :study and ending = 'expired' and " + work)
                .param("study", studyId)
                .param("trial", trialId)
                .query(Integer.class)
                .single();
    }

    /** All leases of a trial, oldest first: its attempts. */
    public List<LeaseRow> ofTrial(UUID trialId) {
        return jdbc.sql("select * from lease where trial_id = :trial order by fence")
                .param("trial", trialId)
                .query((row, number) -> map(row))
                .list();
    }

    private static LeaseRow map(ResultSet row) throws SQLException {
        return new LeaseRow(
                row.getObject("id", UUID.class),
                row.getObject("study_id", UUID.class),
                row.getObject("trial_id", UUID.class),
                row.getObject("worker_id", UUID.class),
                row.getString("device"),
                row.getLong("fence"),
                row.getInt("attempt"),
                JsonColumn.instant(row, "granted_at"),
                JsonColumn.instantOrNull(row, "ended_at"),
                JsonColumn.wordOrNull(row, "ending", LeaseRow.Ending.class));
    }
}
