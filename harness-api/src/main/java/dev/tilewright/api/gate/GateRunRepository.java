package dev.tilewright.api.gate;

import static dev.tilewright.api.platform.database.JsonColumn.at;

import dev.tilewright.api.platform.database.JsonColumn;
import dev.tilewright.api.task.GpuAddress;
import dev.tilewright.api.worker.WorkerRepository;
import dev.tilewright.gate.document.GateRun;
import dev.tilewright.gate.document.GateRunLine;
import dev.tilewright.gate.document.GateVerdict;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Table {@code gate_run}. */
@Repository
record GateRunRepository(JdbcClient jdbc) {

    private static final String SELECT = """
            select r.*, t.kind as testbed_kind, t.device as testbed_device, t.driver, t.assembler, t.sm_count, t.clock_policy
            from gate_run r left join testbed t on t.id = r.testbed_id\s""";

    private static final String LINES = """
            select r.*, (select count(*) from gate_case c where c.run_id = r.id and c.sentinel is null) as cases,
                (select count(*) from gate_case c join gate_stage s on s.run_id = c.run_id and s.ordinal = c.ordinal
                    where c.run_id = r.id and c.sentinel is null and s.number = 1 and s.taken_at is not null) as measured
            from gate_run r\s""";

    /** Adds a run that nobody has begun. */
    void insert(UUID id, String gate, AskedRun asked, String submittedBy, String decision, Instant now) {
        jdbc.sql("""
                insert into gate_run (id, gate, commit, branch, selector, seed, budget_seconds, retune_seconds, submitted_by, state, decision,
                    created_at)
                values (:id, :gate, :commit, :branch, :selector, :seed, :budget, :retune, :by, 'queued', :decision, :now)""")
                .param("id", id)
                .param("gate", gate)
                .param("commit", asked.commit())
                .param("branch", asked.branch())
                .param("selector", asked.device().toString())
                .param("seed", asked.seed())
                .param("budget", asked.budgetSeconds())
                .param("retune", asked.retuneSeconds())
                .param("by", submittedBy)
                .param("decision", decision)
                .param("now", at(now))
                .update();
    }

    Optional<GateRunRow> find(UUID id) {
        return jdbc.sql(SELECT + "where r.id = :id")
                .param("id", id)
                .query((row, number) -> map(row))
                .optional();
    }

    /** Runs that are not over, the oldest first. */
    List<UUID> open() {
        return jdbc.sql("select id from gate_run where state in ('queued', 'running') order by seq")
                .query(UUID.class)
                .list();
    }

    /** Runs with a verdict that have a case tuned again, the oldest first. */
    List<UUID> retuning() {
        return jdbc.sql("select id from gate_run where retuning order by seq")
                .query(UUID.class)
                .list();
    }

    /** The filter of a list; {@code null} accepts any value. */
    record Question(
            String gate,
            @Nullable String branch,
            GateRun.@Nullable State state,
            @Nullable GateVerdict verdict) {}

    /** Runs that came before this one, newest first. */
    List<Numbered> before(Question question, long seq, int limit) {
        return jdbc.sql(LINES + """
                where r.gate = :gate and r.seq < :seq and (cast(:branch as text) is null or r.branch = :branch)
                    and (cast(:state as text) is null or r.state = :state)
                    and (cast(:verdict as text) is null or r.verdict = :verdict)
                order by r.seq desc limit :limit""")
                .param("gate", question.gate())
                .param("branch", question.branch())
                .param(
                        "state",
                        question.state() == null ? null : question.state().toString())
                .param(
                        "verdict",
                        question.verdict() == null ? null : question.verdict().toString())
                .param("seq", seq)
                .param("limit", limit)
                .query((row, number) -> new Numbered(row.getLong("seq"), line(row)))
                .list();
    }

    /** A line with its number in the list. */
    record Numbered(long seq, GateRunLine line) {}

    /** The newest run of each gate, by the name of the gate. */
    List<GateRunLine> newest() {
        return jdbc.sql(LINES + "where r.seq in (select max(seq) from gate_run group by gate) order by r.gate")
                .query((row, number) -> line(row))
                .list();
    }

    /** The newest finished run of a commit. */
    Optional<UUID> newestOf(String gate, String commit) {
        return jdbc.sql("""
                select id from gate_run where gate = :gate and commit = :commit and state = 'finished'
                order by seq desc limit 1""")
                .param("gate", gate)
                .param("commit", commit)
                .query(UUID.class)
                .optional();
    }

    /**
     * The newest run of a branch that passed and has a case. A warning is no pass: a baseline that followed warnings
     * would let small losses add up.
     */
    Optional<UUID> lastPass(String gate, String branch, String caseName) {
        return jdbc.sql("""
                select r.id from gate_run r
                where r.gate = :gate and r.branch = :branch and r.state = 'finished'
                    and r.verdict in ('pass', 'unchanged_binary')
                    and exists (select from gate_case c where c.run_id = r.id and c.sentinel is null and c.name = :case)
                order by r.seq desc limit 1""")
                .param("gate", gate)
                .param("branch", branch)
                .param("case", caseName)
                .query(UUID.class)
                .optional();
    }

    /**
     * Holds an open run until the transaction ends, as its next version; false if it is not this version any more, or
     * is over.
     */
    boolean take(UUID id, int version) {
        return jdbc.sql("""
                        update gate_run set version = version + 1
                        where id = :id and version = :version and state in ('queued', 'running')""").param("id", id).param("version", version).update() == 1;
    }

    /** The same of a run that has a case tuned again. */
    boolean takeRetuning(UUID id, int version) {
        return jdbc.sql("update gate_run set version = version + 1 where id = :id and version = :version and retuning")
                        .param("id", id)
                        .param("version", version)
                        .update()
                == 1;
    }

    /** The same, whatever its version. */
    boolean takeRetuning(UUID id) {
        return jdbc.sql("update gate_run set version = version + 1 where id = :id and retuning")
                        .param("id", id)
                        .update()
                == 1;
    }

    /** Nothing of it is tuned again any more. */
    void endRetuning(UUID id) {
        jdbc.sql("update gate_run set retuning = false where id = :id")
                .param("id", id)
                .update();
    }

    /** A GPU has it from now on. */
    void bind(UUID id, GpuAddress address, UUID taskId) {
        jdbc.sql("""
                update gate_run set state = 'running', host = :host, device = :device, alone_since = null,
                    testbed_id = (select testbed_id from gpu_task where id = :task)
                where id = :id""")
                .param("id", id)
                .param("host", address.host())
                .param("device", address.device())
                .param("task", taskId)
                .update();
    }

    /** @param since {@code null}: it is not alone */
    void alone(UUID id, @Nullable Instant since) {
        jdbc.sql("update gate_run set alone_since = :since where id = :id")
                .param("id", id)
                .param("since", since == null ? null : at(since))
                .update();
    }

    void spend(UUID id, double seconds) {
        jdbc.sql("update gate_run set gpu_seconds = gpu_seconds + :seconds where id = :id")
                .param("id", id)
                .param("seconds", seconds)
                .update();
    }

    /** @param retuning whether cases of it are to be tuned again */
    void finish(UUID id, GateVerdict verdict, String reason, boolean retuning, Instant now) {
        jdbc.sql("""
                update gate_run set state = 'finished', verdict = :verdict, reason = :reason, retuning = :retuning,
                    finished_at = :now
                where id = :id""")
                .param("id", id)
                .param("verdict", verdict.toString())
                .param("reason", reason)
                .param("retuning", retuning)
                .param("now", at(now))
                .update();
    }

    void fail(UUID id, String error, Instant now) {
        jdbc.sql("update gate_run set state = 'failed', error = :error, finished_at = :now where id = :id")
                .param("id", id)
                .param("error", error)
                .param("now", at(now))
                .update();
    }

    /** Cancels a run; false if it is over. */
    boolean cancel(UUID id, Instant now) {
        return jdbc.sql("""
                        update gate_run set state = 'cancelled', version = version + 1, finished_at = :now
                        where id = :id and state in ('queued', 'running')""").param("id", id).param("now", at(now)).update() == 1;
    }

    private static GateRunLine line(ResultSet row) throws SQLException {
        return new GateRunLine(
                row.getObject("id", UUID.class),
                row.getString("gate"),
                JsonColumn.word(row, "state", GateRun.State.class),
                row.getString("commit"),
                row.getString("branch"),
                row.getString("selector"),
                JsonColumn.wordOrNull(row, "verdict", GateVerdict.class),
                row.getString("reason"),
                row.getInt("cases"),
                row.getInt("measured"),
                row.getString("submitted_by"),
                row.getString("error"),
                JsonColumn.instant(row, "created_at"),
                JsonColumn.instantOrNull(row, "finished_at"));
    }

    private static GateRunRow map(ResultSet row) throws SQLException {
        String host = row.getString("host");
        return new GateRunRow(
                row.getObject("id", UUID.class),
                row.getInt("version"),
                row.getString("gate"),
                row.getString("commit"),
                row.getString("branch"),
                row.getString("selector"),
                row.getLong("seed"),
                JsonColumn.realOrNull(row, "budget_seconds"),
                row.getObject("retune_seconds", Integer.class),
                row.getBoolean("retuning"),
                row.getString("submitted_by"),
                JsonColumn.word(row, "state", GateRun.State.class),
                host == null ? null : new GpuAddress(host, row.getString("device")),
                row.getObject("testbed_id") == null
                        ? null
                        : WorkerRepository.testbed(row, "testbed_kind", "testbed_device"),
                JsonColumn.instantOrNull(row, "alone_since"),
                row.getDouble("gpu_seconds"),
                row.getString("decision"),
                JsonColumn.wordOrNull(row, "verdict", GateVerdict.class),
                row.getString("reason"),
                row.getString("error"),
                JsonColumn.instant(row, "created_at"),
                JsonColumn.instantOrNull(row, "finished_at"));
    }
}
