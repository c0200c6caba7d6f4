package dev.tilewright.api.study;

import static dev.tilewright.api.platform.database.JsonColumn.at;

import dev.tilewright.api.platform.database.JsonColumn;
import dev.tilewright.api.platform.database.OneOrMany;
import dev.tilewright.api.trial.Tally;
import dev.tilewright.api.trial.TallyRepository;
import dev.tilewright.api.worker.WorkerRepository;
import dev.tilewright.model.exchange.ProblemDocument;
import dev.tilewright.model.exchange.StudyDocument;
import dev.tilewright.model.exchange.StudyState;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.Testbed;
import dev.tilewright.space.SpaceSummary;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Table {@code study}; the only place where its state changes. */
@Repository
public class StudyRepository {

    private static final String SELECT = """
            select s.*, coalesce(s.own_options, j.options) as options, t.kind, t.device, t.driver, t.assembler, t.sm_count, t.clock_policy
            from study s join job j on j.id = s.job_id left join testbed t on t.id = s.testbed_id
            """;

    private final JdbcClient jdbc;
    private final JsonColumn json;

    StudyRepository(JdbcClient jdbc, JsonColumn json) {
        this.jdbc = jdbc;
        this.json = json;
    }

    /**
     * A study that a job is to have.
     *
     * @param ofRange the range of M that it serves; {@code null} if none
     * @param options its own; {@code null} if they are those of the job
     */
    public record New(
            Problem problem,
            StudyDocument.@Nullable OfRange ofRange,
            @Nullable JobOptions options) {

        /** A study of a problem with one number of rows. */
        public static New of(Problem problem) {
            return new New(problem, null, null);
        }
    }

    /**
     * A new study with its number.
     *
     * @param plain the short form of a problem that has one
     */
    private record Numbered(
            int number,
            Problem problem,
            @Nullable ProblemDocument plain,
            StudyDocument.@Nullable OfRange ofRange,
            @Nullable JobOptions options) {

        static Numbered of(int number, New added) {
            Problem problem = added.problem();
            return new Numbered(
                    number,
                    problem,
                    problem.isPlain() ? ProblemDocument.of(problem) : null,
                    added.ofRange(),
                    added.options());
        }
    }

    /**
     * Adds studies behind those that the job has, none with a trial yet; returns their ids, in their order.
     *
     * @param maker of the family: who says that it can make its kernels finds them in the queue
     */
    public List<UUID> insert(UUID jobId, String maker, List<New> added) {
        return jdbc.sql("""
                with added as (
                    insert into study (id, job_id, ordinal, problem, m, n, k, dtype, family, state, of_range, own_options)
                    select gen_random_uuid(), j.id, first.ordinal + r.number, r.problem, p.m, p.n, p.k, p.dtype,
                        j.options ->> 'family', 'queued', nullif(r."ofRange", 'null'), nullif(r.options, 'null')
                    from job j
                    cross join (select coalesce(max(ordinal) + 1, 0) as ordinal from study where job_id = :job) first
                    cross join json_to_recordset(cast(:studies as json))
                        as r(number integer, problem jsonb, plain json, "ofRange" jsonb, options jsonb)
                    left join lateral json_to_record(r.plain) as p(m integer, n integer, k integer, dtype text) on true
                    where j.id = :job order by r.number
                    returning id, family, seq),
                tallied as (insert into study_tally (study_id) select id from added),
                queued as (
                    insert into study_queue (selector, family, seq, study_id)
                    select j.options ->> 'device', :maker, a.seq, a.id from added a join job j on j.id = :job)
                select id from added order by seq""")
                .param("job", jobId)
                .param("maker", maker)
                .param(
                        "studies",
                        json.write(IntStream.range(0, added.size())
                                .mapToObj(number -> Numbered.of(number, added.get(number)))
                                .toList()))
                .query(UUID.class)
                .list();
    }

    /** The studies of a job that serve a range of M, in their order. */
    public List<StudyRow> ofRange(UUID jobId, int range) {
        return jdbc.sql(SELECT + """
                where s.job_id = :job and cast(s.of_range ->> 'range' as integer) = :range order by s.ordinal""")
                .param("job", jobId)
                .param("range", range)
                .query((row, number) -> map(row))
                .list();
    }

    public Optional<StudyRow> find(UUID id) {
        return jdbc.sql(SELECT + "where s.id = :id")
                .param("id", id)
                .query((row, number) -> map(row))
                .optional();
    }

    /** The existing studies among these ids, in no order. */
    public List<StudyRow> all(Collection<UUID> ids) {
        OneOrMany asked = new OneOrMany(ids);
        return jdbc.sql(SELECT + "where s.id = " + asked.in("ids"))
                .param("ids", asked.value())
                .query((row, number) -> map(row))
                .list();
    }

    /**
     * The study, held until the transaction ends: whoever asks, reports or cancels does so in turn. It is read after
     * the lock was had: a joined row read while waiting for it would be older than the study.
     */
    public Optional<StudyRow> lock(UUID id) {
        return jdbc.sql("select id from study where id = :id for no key update")
                .param("id", id)
                .query(UUID.class)
                .optional()
                .flatMap(this::find);
    }

    /** The same, unless somebody else holds the study at this moment. */
    public Optional<StudyRow> lockIfFree(UUID id) {
        return jdbc.sql("select id from study where id = :id for no key update skip locked")
                .param("id", id)
                .query(UUID.class)
                .optional()
                .flatMap(this::find);
    }

    /** Holds all studies of a job until the transaction ends; their ids, in their order. */
    public List<UUID> lockAll(UUID jobId) {
        return jdbc.sql("select id from study where job_id = :job order by ordinal for no key update")
                .param("job", jobId)
                .query(UUID.class)
                .list();
    }

    /**
     * How a study of a job is doing, in short.
     *
     * @param ofRange the range of M that it serves; {@code null} if none
     * @param testbed {@code null} until a device took it
     */
    public record Line(
            UUID id,
            UUID jobId,
            Problem problem,
            StudyDocument.@Nullable OfRange ofRange,
            StudyState state,
            @Nullable Testbed testbed,
            Tally tally,
            @Nullable String error) {}

    /** The studies of jobs, those of each in their order. */
    public List<Line> lines(List<UUID> jobIds) {
        OneOrMany jobs = new OneOrMany(jobIds);
        return jdbc.sql("""
                select s.id, s.job_id, s.problem, s.of_range, s.state, s.testbed_id, s.error, y.*, t.kind, t.device, t.driver, t.assembler,
                    t.sm_count, t.clock_policy
                from study s join study_tally y on y.study_id = s.id left join testbed t on t.id = s.testbed_id
                where s.job_id = %s order by s.job_id, s.ordinal""".formatted(jobs.in("jobs")))
                .param("jobs", jobs.value())
                .query((row, number) -> new Line(
                        row.getObject("id", UUID.class),
                        row.getObject("job_id", UUID.class),
                        json.read(row, "problem", Problem.class),
                        json.readOrNull(row, "of_range", StudyDocument.OfRange.class),
                        JsonColumn.word(row, "state", StudyState.class),
                        row.getObject("testbed_id") == null ? null : WorkerRepository.testbed(row),
                        TallyRepository.map(row),
                        row.getString("error")))
                .list();
    }

    /**
     * The studies that are to begin next, so many at most. The number stands in the statement: with a limit that it
     * does not know, Postgres plans each time anew, which takes longer than to read the rows.
     */
    public List<StudyRow> next(int limit) {
        return jdbc.sql(SELECT + "where s.state = 'queued' order by s.seq limit " + limit)
                .query((row, number) -> map(row))
                .list();
    }

    /** Running studies whose time is limited. */
    public List<UUID> timed() {
        return jdbc.sql("""
                select s.id from study s join job j on j.id = s.job_id
                where s.state = 'running' and coalesce(s.own_options, j.options) -> 'budget' ->> 'seconds' is not null order by s.seq""").query(UUID.class).list();
    }

    /** Has running studies that began later than now begin now; returns how many. */
    public int notBegunAfter(Instant now) {
        return jdbc.sql("""
                update study set started_at = :now where id in (
                    select id from study where state = 'running' and started_at > :now order by id for no key update skip locked)""").param("now", at(now)).update();
    }

    /**
     * Binds a queued study to a testbed.
     *
     * @param anchor {@code null} if its trials are timed alone
     */
    public void bind(
            UUID id,
            UUID testbedId,
            String familyBuild,
            String spaceHash,
            SpaceSummary space,
            @Nullable Config anchor,
            Instant now) {
        int changed = jdbc.sql("""
                update study set state = 'running', testbed_id = :testbed, family_build = :build, space_hash = :hash,
                    space = cast(:space as jsonb), anchor = cast(:anchor as jsonb), started_at = :now
                where id = :id and state = 'queued' and testbed_id is null""")
                .param("id", id)
                .param("testbed", testbedId)
                .param("build", familyBuild)
                .param("hash", spaceHash)
                .param("space", json.write(space))
                .param("anchor", json.write(anchor))
                .param("now", at(now))
                .update();
        expectOne(changed, id, "bind");
        leaveQueue(id);
    }

    public void exhaust(UUID id) {
        jdbc.sql("update study set exhausted = true where id = :id")
                .param("id", id)
                .update();
    }

    public void accept(UUID id) {
        jdbc.sql("update study set accepted = true where id = :id and not accepted")
                .param("id", id)
                .update();
    }

    /** Ends a study that is queued or running. */
    public void end(UUID id, StudyState state, @Nullable String error, Instant now) {
        int changed = jdbc.sql("""
                update study set state = :state, error = :error, finished_at = :now
                where id = :id and state in ('queued', 'running')""")
                .param("id", id)
                .param("state", state.toString())
                .param("error", error)
                .param("now", at(now))
                .update();
        expectOne(changed, id, "end");
        leaveQueue(id);
    }

    private void leaveQueue(UUID id) {
        jdbc.sql("delete from study_queue where study_id = :id").param("id", id).update();
    }

    private static void expectOne(int changed, UUID id, String verb) {
        if (changed != 1) {
            throw new IllegalStateException("cannot " + verb + " study " + id + ": its state does not allow it");
        }
    }

    private StudyRow map(ResultSet row) throws SQLException {
        UUID testbedId = row.getObject("testbed_id", UUID.class);
        return new StudyRow(
                row.getObject("id", UUID.class),
                row.getObject("job_id", UUID.class),
                json.read(row, "problem", Problem.class),
                json.read(row, "options", JobOptions.class),
                json.readOrNull(row, "of_range", StudyDocument.OfRange.class),
                JsonColumn.word(row, "state", StudyState.class),
                testbedId,
                testbedId == null ? null : WorkerRepository.testbed(row),
                row.getString("family_build"),
                row.getString("space_hash"),
                json.readOrNull(row, "space", SpaceSummary.class),
                json.readOrNull(row, "anchor", Config.class),
                JsonColumn.instantOrNull(row, "started_at"),
                row.getBoolean("exhausted"),
                row.getBoolean("accepted"),
                row.getString("error"),
                JsonColumn.instantOrNull(row, "finished_at"),
                JsonColumn.instantOrNull(row, "evidence_deleted_at"));
    }
}
