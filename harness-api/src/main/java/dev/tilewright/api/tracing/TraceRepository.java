package dev.tilewright.api.tracing;

import static dev.tilewright.api.platform.database.JsonColumn.at;
import static dev.tilewright.api.platform.database.JsonColumn.instant;
import static dev.tilewright.api.platform.database.JsonColumn.realOrNull;

import dev.tilewright.api.platform.database.JsonColumn;
import dev.tilewright.model.exchange.JobEvent;
import dev.tilewright.model.space.Config;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import tools.jackson.core.type.TypeReference;

/** Table {@code job_trace}, and what is read of jobs for their traces. */
@Repository
class TraceRepository {

    private static final TypeReference<Map<String, Long>> TIMES = new TypeReference<>() {};

    private final JdbcClient jdbc;
    private final JsonColumn json;

    TraceRepository(JdbcClient jdbc, JsonColumn json) {
        this.jdbc = jdbc;
        this.json = json;
    }

    /** Both conditions have an index: nobody reads all jobs again and again. */
    static final String BEGIN = """
            insert into job_trace (job_id)
            select j.id from job j
            where (j.finished_at is null or j.finished_at >= :since)
                and not exists (select from job_trace t where t.job_id = j.id)
            on conflict do nothing""";

    /** Begins the traces of jobs that are not over, and of those that have ended since then. */
    void begin(Instant since) {
        jdbc.sql(BEGIN).param("since", at(since)).update();
    }

    /** How far a trace is that has something to tell. */
    record Behind(UUID job, long event) {}

    List<Behind> behind() {
        return jdbc.sql("""
                select t.job_id, t.event_id from job_trace t
                where not t.ended and exists (select from event e where e.job_id = t.job_id and e.id > t.event_id)
                order by t.job_id""")
                .query((row, number) -> new Behind(row.getObject("job_id", UUID.class), row.getLong("event_id")))
                .list();
    }

    /**
     * An event that ended something.
     *
     * @param trial {@code null} if it is of no trial
     * @param study likewise
     * @param last whether it is the job
     */
    record Ended(
            long event,
            String type,
            @Nullable UUID study,
            @Nullable UUID trial,
            boolean last) {}

    /** Ended work after an event, in order. */
    List<Ended> after(Behind trace, int limit) {
        return jdbc.sql("""
                select id, type, terminal, cast(data ->> 'studyId' as uuid) as study, cast(data ->> 'trialId' as uuid) as trial
                from event where job_id = :job and id > :event order by id limit :limit""")
                .param("job", trace.job())
                .param("event", trace.event())
                .param("limit", limit)
                .query((row, number) -> new Ended(
                        row.getLong("id"),
                        row.getString("type"),
                        row.getObject("study", UUID.class),
                        row.getObject("trial", UUID.class),
                        row.getBoolean("terminal")))
                .list();
    }

    /** Advances the position of a trace, unless another replica has advanced it first. */
    void told(Behind trace, Ended last) {
        jdbc.sql("""
                update job_trace set event_id = :told, ended = :ended where job_id = :job and event_id = :before""")
                .param("told", last.event())
                .param("ended", last.last())
                .param("job", trace.job())
                .param("before", trace.event())
                .update();
    }

    /** A job that is over. */
    record Job(UUID id, String name, String state, Instant start, Instant end) {}

    /** Empty if it was deleted meanwhile. */
    List<Job> job(UUID id) {
        return jdbc.sql("select * from job where id = :id and finished_at is not null")
                .param("id", id)
                .query((row, number) -> new Job(
                        id,
                        row.getString("name"),
                        row.getString("state"),
                        instant(row, "created_at"),
                        instant(row, "finished_at")))
                .list();
    }

    /** A question that the search has answered. */
    record Ask(long event, UUID study, UUID job, String about, int configs, Instant start, Instant end) {}

    List<Ask> asks(List<Long> events) {
        return jdbc.sql("select id, job_id, data from event where id = any(:ids) order by id")
                .param("ids", events.toArray(Long[]::new))
                .query((row, number) -> {
                    JobEvent.StudyAsked asked = json.read(row, "data", JobEvent.StudyAsked.class);
                    return new Ask(
                            row.getLong("id"),
                            asked.studyId(),
                            row.getObject("job_id", UUID.class),
                            asked.about(),
                            asked.configs(),
                            asked.askedAt(),
                            asked.answeredAt());
                })
                .list();
    }

    /**
     * A study that is over.
     *
     * @param device that it was bound to; {@code null} if there was none
     * @param start when a device took it; of one that none took, when it was submitted
     */
    record Study(
            UUID id,
            UUID job,
            String problem,
            String family,
            String state,
            @Nullable String device,
            @Nullable String kind,
            @Nullable String error,
            Instant start,
            Instant end) {}

    List<Study> studies(List<UUID> ids) {
        return jdbc.sql("""
                select s.*, coalesce(s.m || 'x' || s.n || 'x' || s.k || ' ' || s.dtype, s.problem::text) as named,
                       b.device, b.kind, coalesce(s.started_at, j.created_at) as begun
                from study s join job j on j.id = s.job_id left join testbed b on b.id = s.testbed_id
                where s.id = any(cast(:ids as uuid[])) and s.finished_at is not null order by s.seq""")
                .param("ids", array(ids))
                .query((row, number) -> new Study(
                        row.getObject("id", UUID.class),
                        row.getObject("job_id", UUID.class),
                        row.getString("named"),
                        row.getString("family"),
                        row.getString("state"),
                        row.getString("device"),
                        row.getString("kind"),
                        row.getString("error"),
                        instant(row, "begun"),
                        instant(row, "finished_at")))
                .list();
    }

    /** A final that is over, with how many contended in it. */
    record Final(UUID study, int contenders, Instant start, Instant end, List<Attempt> attempts) {}

    List<Final> finals(List<UUID> studies) {
        Map<UUID, List<Attempt>> attempts = attempts("l.trial_id is null and l.study_id", "study_id", studies);
        return jdbc.sql("""
                select study_id, jsonb_array_length(contenders) as contenders, created_at, finished_at from final_run
                where study_id = any(cast(:ids as uuid[])) and finished_at is not null""")
                .param("ids", array(studies))
                .query((row, number) -> {
                    UUID study = row.getObject("study_id", UUID.class);
                    return new Final(
                            study,
                            row.getInt("contenders"),
                            instant(row, "created_at"),
                            instant(row, "finished_at"),
                            attempts.getOrDefault(study, List.of()));
                })
                .list();
    }

    /** Trials of studies that were cancelled while a worker had them: no event tells of each. */
    List<UUID> cancelled(List<UUID> studies) {
        return jdbc.sql("""
                select distinct t.id from lease l join trial t on t.id = l.trial_id
                where l.study_id = any(cast(:ids as uuid[])) and l.ending = 'cancelled' and t.outcome = 'cancelled'""").param("ids", array(studies)).query(UUID.class).list();
    }

    /**
     * An attempt that is over.
     *
     * @param host {@code null} if its worker is no longer known
     */
    record Attempt(UUID lease, String device, @Nullable String host, String ending, Instant start, Instant end) {}

    private Map<UUID, List<Attempt>> attempts(String condition, String key, List<UUID> ids) {
        Map<UUID, List<Attempt>> found = new HashMap<>();
        jdbc.sql("""
                select l.*, w.host from lease l left join worker w on w.id = l.worker_id
                where %s = any(cast(:ids as uuid[])) and l.ended_at is not null order by l.granted_at""".formatted(condition)).param("ids", array(ids)).query(row -> {
            found.computeIfAbsent(row.getObject(key, UUID.class), id -> new ArrayList<>())
                    .add(new Attempt(
                            row.getObject("id", UUID.class),
                            row.getString("device"),
                            row.getString("host"),
                            row.getString("ending"),
                            instant(row, "granted_at"),
                            instant(row, "ended_at")));
        });
        return found;
    }

    /** Launches of the kernel of a trial that were timed together. */
    record Launches(
            String mode,
            int launches,
            double medianNs,
            @Nullable Double clockMhz) {}

    /**
     * A trial that is over.
     *
     * @param kind of its testbed
     * @param timesNs of its phases; empty where nothing was reported
     * @param timed what its screen timed
     */
    record Trial(
            UUID id,
            UUID study,
            UUID job,
            int ordinal,
            String family,
            Config config,
            String outcome,
            String log,
            String testbed,
            String kind,
            @Nullable String ptxHash,
            Map<String, Long> timesNs,
            Instant start,
            Instant end,
            List<Attempt> attempts,
            List<Launches> timed) {}

    /** The ended trials among these, in the order in which they ended. */
    List<Trial> trials(List<UUID> ids) {
        Map<UUID, List<Attempt>> attempts = attempts("l.trial_id", "trial_id", ids);
        Map<UUID, List<Launches>> timed = timed(ids);
        return jdbc.sql("""
                select t.id, t.study_id, t.ordinal, t.family, t.config, t.outcome, t.log, t.ptx_hash, t.times_ns, t.created_at,
                    t.finished_at, s.job_id, b.device, b.kind from trial t
                join study s on s.id = t.study_id join testbed b on b.id = s.testbed_id
                where t.id = any(cast(:ids as uuid[])) and t.finished_at is not null order by t.finish_seq""")
                .param("ids", array(ids))
                .query((row, number) -> {
                    UUID id = row.getObject("id", UUID.class);
                    String log = row.getString("log");
                    return new Trial(
                            id,
                            row.getObject("study_id", UUID.class),
                            row.getObject("job_id", UUID.class),
                            row.getInt("ordinal"),
                            row.getString("family"),
                            json.read(row, "config", Config.class),
                            row.getString("outcome"),
                            log == null ? "" : log,
                            row.getString("device"),
                            row.getString("kind"),
                            row.getString("ptx_hash"),
                            row.getString("times_ns") == null ? Map.of() : json.read(row, "times_ns", TIMES),
                            instant(row, "created_at"),
                            instant(row, "finished_at"),
                            attempts.getOrDefault(id, List.of()),
                            timed.getOrDefault(id, List.of()));
                })
                .list();
    }

    private Map<UUID, List<Launches>> timed(List<UUID> trials) {
        Map<UUID, List<Launches>> found = new HashMap<>();
        jdbc.sql("""
                select trial_id, mode, launches, median_ns, sm_clock_mhz from measurement
                where trial_id = any(cast(:ids as uuid[])) and stage = 'screen' order by id""").param("ids", array(trials)).query(row -> {
            found.computeIfAbsent(row.getObject("trial_id", UUID.class), id -> new ArrayList<>())
                    .add(new Launches(
                            row.getString("mode"),
                            row.getInt("launches"),
                            row.getDouble("median_ns"),
                            realOrNull(row, "sm_clock_mhz")));
        });
        return found;
    }

    private static String[] array(List<UUID> ids) {
        return ids.stream().map(UUID::toString).toArray(String[]::new);
    }
}
