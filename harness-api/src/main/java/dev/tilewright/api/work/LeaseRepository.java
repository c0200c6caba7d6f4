package dev.tilewright.api.work;

import static dev.tilewright.api.platform.database.JsonColumn.at;

import dev.tilewright.api.platform.database.JsonColumn;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Table {@code lease}, and the state of work in the tables of its features. */
@Repository
public record LeaseRepository(JdbcClient jdbc, JsonColumn json, WorkedTimeRepository times) implements WorkStore {

    @Override
    public void add(Collection<LeaseRow> leases) {
        jdbc.sql("""
                insert into lease (id, study_id, trial_id, task_id, worker_id, device, fence, attempt, begun, granted_at,
                    expires_at)
                select r.id, case when r.work ->> 'type' <> 'TASK' then cast(r.work ->> 'owner' as uuid) end,
                    case when r.work ->> 'type' = 'SCREEN' then cast(r.work ->> 'id' as uuid) end,
                    case when r.work ->> 'type' = 'TASK' then cast(r.work ->> 'id' as uuid) end,
                    r."workerId", r.device, r.fence, r.attempt, r.begun, r."grantedAt", r."expiresAt"
                from json_to_recordset(cast(:leases as json)) as r(id uuid, work json, "workerId" uuid, device text,
                    fence bigint, attempt integer, begun boolean, "grantedAt" timestamptz, "expiresAt" timestamptz)""").param("leases", json.write(leases)).update();
    }

    @Override
    public void write(Collection<LeaseRow> changed) {
        if (changed.isEmpty()) {
            return;
        }
        // Before they end: a lease that has ended is no longer seen at work.
        changed.stream()
                .filter(lease -> !lease.isLive() && lease.work().type() != WorkId.Type.TASK)
                .map(lease -> lease.work().owner())
                .distinct()
                .forEach(times::count);
        int written = jdbc.sql("""
                update lease l set begun = r.begun, granted_at = r."grantedAt", expires_at = r."expiresAt",
                    ended_at = r."endedAt", ending = r.ending
                from json_to_recordset(cast(:leases as json)) as r(id uuid, begun boolean, "grantedAt" timestamptz,
                    "expiresAt" timestamptz, "endedAt" timestamptz, ending text)
                where l.id = r.id and l.ended_at is null""").param("leases", json.write(changed)).update();
        if (written != changed.size()) {
            throw new IllegalStateException(
                    "of the leases " + changed.stream().map(LeaseRow::id).toList() + " some have ended already");
        }
    }

    /** The work of each lease of a worker; leases of others, and those that nobody knows, are left out. */
    public Map<UUID, WorkId> works(UUID worker, Collection<UUID> ids) {
        return jdbc
                .sql("select * from lease where id = any(cast(:ids as uuid[])) and worker_id = :worker")
                .param("worker", worker)
                .param("ids", texts(ids))
                .query((row, number) -> map(row))
                .list()
                .stream()
                .collect(Collectors.toMap(LeaseRow::id, LeaseRow::work));
    }

    @Override
    public Map<UUID, LeaseRow> hold(Collection<UUID> ids) {
        return jdbc
                .sql("select * from lease where id = any(cast(:ids as uuid[])) order by id for no key update")
                .param("ids", texts(ids))
                .query((row, number) -> map(row))
                .list()
                .stream()
                .collect(Collectors.toMap(LeaseRow::id, Function.identity()));
    }

    @Override
    public Heard heard(UUID worker, Collection<UUID> ids) {
        Set<UUID> live = new HashSet<>();
        List<LeaseRow> held = new ArrayList<>();
        jdbc.sql("""
                with live as (
                    select id from lease where id = any(cast(:ids as uuid[])) and worker_id = :worker and ended_at is null),
                free as (
                    select * from lease where id in (select id from live) and ended_at is null
                    for no key update skip locked)
                select v.id as live_id, f.* from live v left join free f on f.id = v.id""").param("ids", texts(ids)).param("worker", worker).query(row -> {
            live.add(row.getObject("live_id", UUID.class));
            if (row.getObject("id") != null) {
                held.add(map(row));
            }
        });
        return new Heard(live, held);
    }

    @Override
    public List<LeaseRow> holdFree() {
        return jdbc.sql("select * from lease where ended_at is null order by id for no key update skip locked")
                .query((row, number) -> map(row))
                .list();
    }

    @Override
    public List<LeaseRow> holdLive(UUID owner) {
        return jdbc.sql("""
                select * from lease where (study_id = :owner or task_id = :owner) and ended_at is null
                order by id for no key update""")
                .param("owner", owner)
                .query((row, number) -> map(row))
                .list();
    }

    @Override
    public Map<UUID, WorkId.Type> overdue(Instant now) {
        Map<UUID, WorkId.Type> owners = new LinkedHashMap<>();
        jdbc.sql("select * from lease where ended_at is null and expires_at <= :now order by expires_at")
                .param("now", at(now))
                .query(row -> {
                    WorkId work = map(row).work();
                    owners.put(work.owner(), work.type());
                });
        return owners;
    }

    @Override
    public int lost(WorkId work) {
        return jdbc.sql("select count(*) from lease where work_id = :work and ending = 'expired'")
                .param("work", work.id())
                .query(Integer.class)
                .single();
    }

    /** The table of a type of work, its key, and what else changes with the state. */
    private record Table(String name, String key, String also) {

        static Table of(WorkId.Type type) {
            return switch (type) {
                case SCREEN -> new Table("trial", "id", "");
                // The race of a final that goes back is run again.
                case FINAL ->
                    new Table("final_run", "study_id", ", raced_at = case when r.state = 'leased' then w.raced_at end");
                case TASK -> new Table("gpu_task", "id", "");
            };
        }
    }

    @Override
    public WorkState state(WorkId work) {
        Table table = Table.of(work.type());
        return jdbc.sql("select state, attempts, fence from %s where %s = :id".formatted(table.name(), table.key()))
                .param("id", work.id())
                .query((row, number) -> state(work, row))
                .single();
    }

    /** The state of work in the current row of its table. */
    public static WorkState state(WorkId work, ResultSet row) throws SQLException {
        return new WorkState(
                work,
                switch (row.getString("state")) {
                    case "queued" -> WorkState.State.QUEUED;
                    case "leased" -> WorkState.State.LEASED;
                    default -> WorkState.State.OVER;
                },
                row.getInt("attempts"),
                row.getLong("fence"));
    }

    @Override
    public void writeStates(Collection<WorkState> changed) {
        Table table = Table.of(changed.iterator().next().work().type());
        int written = jdbc.sql("""
                update %s w set state = r.state, attempts = r.attempts, fence = r.fence%s
                from json_to_recordset(cast(:states as json)) as r(work json, state text, attempts integer, fence bigint)
                where w.%s = cast(r.work ->> 'id' as uuid) and w.state in ('queued', 'leased')""".formatted(table.name(), table.also(), table.key()))
                .param("states", json.write(changed))
                .update();
        if (written != changed.size()) {
            throw new IllegalStateException("of " + changed + " some are over already");
        }
    }

    /** The studies of those of a worker's leases that are live finals. */
    public List<UUID> finals(UUID worker, Collection<UUID> ids) {
        return jdbc.sql("""
                select study_id from lease
                where id = any(cast(:ids as uuid[])) and worker_id = :worker and work_id = study_id and ended_at is null""")
                .param("worker", worker)
                .param("ids", texts(ids))
                .query(UUID.class)
                .list();
    }

    /** How many leases are live. */
    public int live() {
        return jdbc.sql("select count(*) from lease where ended_at is null")
                .query(Integer.class)
                .single();
    }

    /** Whether a worker ever reported work of a study. */
    public boolean reported(UUID studyId, UUID workerId) {
        return jdbc.sql("""
                select exists (
                    select from lease where study_id = :study and worker_id = :worker and ending = 'reported')""")
                .param("study", studyId)
                .param("worker", workerId)
                .query(Boolean.class)
                .single();
    }

    /** All leases of a trial, oldest first: its attempts. */
    public List<LeaseRow> ofTrial(UUID trialId) {
        return jdbc.sql("select * from lease where trial_id = :trial order by fence")
                .param("trial", trialId)
                .query((row, number) -> map(row))
                .list();
    }

    private static String[] texts(Collection<UUID> ids) {
        return ids.stream().map(UUID::toString).toArray(String[]::new);
    }

    private static LeaseRow map(ResultSet row) throws SQLException {
        return new LeaseRow(
                row.getObject("id", UUID.class),
                work(row),
                row.getObject("worker_id", UUID.class),
                row.getString("device"),
                row.getLong("fence"),
                row.getInt("attempt"),
                row.getBoolean("begun"),
                JsonColumn.instant(row, "granted_at"),
                JsonColumn.instant(row, "expires_at"),
                JsonColumn.instantOrNull(row, "ended_at"),
                JsonColumn.wordOrNull(row, "ending", LeaseRow.Ending.class));
    }

    private static WorkId work(ResultSet row) throws SQLException {
        UUID task = row.getObject("task_id", UUID.class);
        if (task != null) {
            return WorkId.task(task);
        }
        UUID study = row.getObject("study_id", UUID.class);
        UUID trial = row.getObject("trial_id", UUID.class);
        return trial == null ? WorkId.ofFinal(study) : WorkId.screen(study, trial);
    }
}
