package dev.tilewright.api.trial;

import static dev.tilewright.api.platform.database.JsonColumn.at;

import dev.tilewright.api.platform.database.JsonColumn;
import dev.tilewright.api.work.LeaseRepository;
import dev.tilewright.api.work.WorkId;
import dev.tilewright.api.work.WorkState;
import dev.tilewright.model.exchange.TrialDocument;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.Violation;
import dev.tilewright.model.trial.Checked;
import dev.tilewright.model.trial.Executed;
import dev.tilewright.model.trial.SchedulerEvidence;
import dev.tilewright.model.trial.Stage;
import dev.tilewright.model.trial.TimeInterval;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.model.trial.TrialState;
import dev.tilewright.space.ranking.TimedTrial;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;
import tools.jackson.core.type.TypeReference;

/**
 * Table {@code trial}; with {@link ScreenRepository} the only place where its state changes, always guarded by the
 * state before.
 */
@Repository
public class TrialRepository {

    /** Evidence of table {@code trial} with the times of single tiles, which are read of few trials at a time. */
    public static final String WHOLE_EVIDENCE = "t.evidence::jsonb || jsonb_build_object('tileNs', t.tile_ns)";

    private static final String COLUMNS = """
            select t.id, t.study_id, t.ordinal, t.family, t.config, t.state, t.outcome, t.attempts, t.error_ratio, t.registers,
                t.spill_bytes, t.shared_bytes, t.ptx_hash, t.cubin_hash, t.grid_x, t.cluster_size, t.threads, t.checked,
                t.times_ns, t.log, t.created_at, t.finished_at, %s as evidence
            from trial t
            """;

    private final JdbcClient jdbc;
    private final JsonColumn json;
    private final TallyRepository tallies;
    private final HistoryRepository histories;

    TrialRepository(JdbcClient jdbc, JsonColumn json, TallyRepository tallies, HistoryRepository histories) {
        this.jdbc = jdbc;
        this.json = json;
        this.tallies = tallies;
        this.histories = histories;
    }

    /** A trial to be added. */
    private record New(Config config, String hash, @Nullable String log) {}

    /** Queues configs behind those that are there; the caller holds the study. */
    public void queue(UUID studyId, String family, List<Config> configs, Instant now) {
        insert(
                studyId,
                family,
                configs.stream()
                        .map(config -> new New(config, config.hash(), null))
                        .toList(),
                false,
                now);
        tallies.asked(studyId, configs.size());
    }

    /** A combination that nobody needs to evaluate, with the rule that it breaks. */
    public record Pruned(Config config, Violation violation) {}

    /** Records combinations that break a rule; the caller holds the study. */
    public void prune(UUID studyId, String family, List<Pruned> pruned, Instant now) {
        insert(
                studyId,
                family,
                pruned.stream()
                        .map(point -> new New(
                                point.config(),
                                point.config().hash(),
                                point.violation().toString()))
                        .toList(),
                true,
                now);
        tallies.recorded(studyId, pruned.size());
    }

    private void insert(UUID studyId, String family, List<New> trials, boolean pruned, Instant now) {
        jdbc.sql("""
                insert into trial (id, study_id, ordinal, family, config, config_hash, state, outcome, log, created_at,
                    finished_at, finish_seq)
                select gen_random_uuid(), :study, first.ordinal + r.number, :family, r.config, r.hash,
                    case when :pruned then 'finished' else 'queued' end, case when :pruned then 'pruned' end, r.log, :now,
                    case when :pruned then cast(:now as timestamptz) end, case when :pruned then nextval('trial_finish') end
                from rows from (json_to_recordset(cast(:trials as json)) as (config jsonb, hash text, log text))
                        with ordinality as r(config, hash, log, number)
                    cross join (select coalesce(max(ordinal), -1) as ordinal from trial where study_id = :study) first""")
                .param("study", studyId)
                .param("family", family)
                .param("trials", json.write(trials))
                .param("pruned", pruned)
                .param("now", at(now))
                .update();
    }

    /** A trial that waits in the queue. */
    public record Queued(WorkState state, Config config) {}

    /**
     * Holds trials of the queue in their order; those that somebody else is taking at this moment are passed over, and
     * so is a study that nobody may refer to at this moment: its leases would wait.
     */
    public List<Queued> queued(UUID studyId, int max) {
        return jdbc.sql("""
                with free as (select id from study where id = :study for key share skip locked)
                select * from trial where study_id = :study and state = 'queued' and exists (select from free)
                order by ordinal limit\s""" + max + " for update skip locked")
                .param("study", studyId)
                .query((row, number) -> new Queued(
                        LeaseRepository.state(WorkId.screen(studyId, row.getObject("id", UUID.class)), row),
                        json.read(row, "config", Config.class)))
                .list();
    }

    /**
     * A trial that has just ended.
     *
     * @param tflops of its last sustained screen; {@code null} if it was not measured, or is not believed
     * @param finished trials of its study by now, as are the following
     */
    public record Ended(
            UUID id,
            Config config,
            TrialOutcome outcome,
            @Nullable Double tflops,
            int finished,
            int completed,
            @Nullable Double fastestScreenTflops) {}

    /** Ends a leased trial of which nothing is known but why; the caller holds the study. */
    public Ended giveUp(UUID studyId, UUID id, TrialOutcome outcome, String log, Instant now) {
        Config config = jdbc.sql("""
                update trial set state = 'finished', outcome = :outcome, log = :log, finished_at = :now,
                    finish_seq = nextval('trial_finish')
                where id = :id and state = 'leased' returning config""")
                .param("id", id)
                .param("outcome", outcome.toString())
                .param("log", log)
                .param("now", at(now))
                .query((row, number) -> json.read(row, "config", Config.class))
                .optional()
                .orElseThrow(() -> notLeased(id));
        Tally tally = tallies.finished(studyId, 1);
        return new Ended(id, config, outcome, null, tally.finished(), tally.completed(), tally.screenTflops());
    }

    /**
     * Cancels what is queued and, if {@code leasedToo}, what is leased; returns how many. The caller holds the study.
     */
    public int cancel(UUID studyId, boolean leasedToo, String log, Instant now) {
        int cancelled = jdbc.sql("""
                update trial set state = 'finished', outcome = 'cancelled', log = :log, finished_at = :now,
                    finish_seq = nextval('trial_finish')
                where study_id = :study and state <> 'finished' and (state = 'queued' or :leasedToo)""")
                .param("study", studyId)
                .param("leasedToo", leasedToo)
                .param("log", log)
                .param("now", at(now))
                .update();
        tallies.finished(studyId, cancelled);
        return cancelled;
    }

    /** The log of the first trial of a study that was too noisy to say anything. */
    public Optional<String> firstNoise(UUID studyId) {
        return jdbc.sql("""
                select log from trial where study_id = :study and outcome = 'noise' and log is not null
                order by ordinal limit 1""").param("study", studyId).query(String.class).optional();
    }

    /** A finalist turned out wrong on fresh data: it is not completed any more. The caller holds the study. */
    public void disprove(UUID studyId, UUID id, TrialOutcome outcome, @Nullable Double errorRatio, String log) {
        int changed = jdbc.sql("""
                update trial set outcome = :outcome, error_ratio = coalesce(:errorRatio, error_ratio),
                    log = concat_ws(E'\\n', nullif(log, ''), :log)
                where id = :id and state = 'finished' and outcome = 'completed'""")
                .param("id", id)
                .param("outcome", outcome.toString())
                .param("errorRatio", errorRatio)
                .param("log", "in the final: " + log)
                .update();
        tallies.disproved(studyId, changed);
    }

    static IllegalStateException notLeased(UUID id) {
        return new IllegalStateException("trial " + id + " is not leased");
    }

    /** Without its measurements, but with the times of its single tiles. */
    public Optional<TrialRow> find(UUID id) {
        return jdbc.sql(COLUMNS.formatted(WHOLE_EVIDENCE) + "where t.id = :id")
                .param("id", id)
                .query((row, number) -> map(row))
                .optional();
    }

    /** The config of a trial that there is. */
    public Config config(UUID id) {
        return jdbc.sql("select config from trial where id = :id")
                .param("id", id)
                .query((row, number) -> json.read(row, "config", Config.class))
                .single();
    }

    /** Trials from an ordinal on, in their order, without their measurements and the times of single tiles. */
    public List<TrialRow> from(UUID studyId, int ordinal, int limit) {
        return jdbc.sql(COLUMNS.formatted("t.evidence")
                        + "where t.study_id = :study and t.ordinal >= :ordinal order by t.ordinal limit :limit")
                .param("study", studyId)
                .param("ordinal", ordinal)
                .param("limit", limit)
                .query((row, number) -> map(row))
                .list();
    }

    /**
     * A trial as the search sees it.
     *
     * @param outcome {@code null} while it is open
     * @param screen {@code null} without a measurement
     */
    public record Seen(Config config, @Nullable TrialOutcome outcome, ScreenScale.@Nullable ScreenTime screen) {}

    /** The trials of the search so far, in the order in which it asked. */
    public List<Seen> history(UUID studyId) {
        return histories.of(studyId);
    }

    /**
     * A completed trial with its last sustained screen.
     *
     * @param ptxHash of its text; {@code null} if nobody told
     */
    public record Screened(
            UUID id, int ordinal, Config config, @Nullable String ptxHash, ScreenScale.ScreenTime screen) {}

    /** The screened trials of a study, in their order. */
    public List<Screened> screened(UUID studyId) {
        return jdbc.sql("""
                select t.id, t.ordinal, t.config, t.ptx_hash, screen.median_ns, screen.sm_clock_mhz, screen.anchor_ratio
                from trial t cross join lateral (
                    select m.median_ns, m.sm_clock_mhz, m.anchor_ratio from measurement m
                    where m.trial_id = t.id and m.mode = 'sustained' and m.stage = 'screen'
                    order by m.id desc limit 1) screen
                where t.study_id = :study and t.outcome = 'completed' order by t.ordinal""")
                .param("study", studyId)
                .query((row, number) -> new Screened(
                        row.getObject("id", UUID.class),
                        row.getInt("ordinal"),
                        json.read(row, "config", Config.class),
                        row.getString("ptx_hash"),
                        Objects.requireNonNull(HistoryRepository.screen(row))))
                .list();
    }

    /** The completed trials of a study with their times, the last of each stage, in their order. */
    public List<TimedTrial> timed(UUID studyId) {
        Map<UUID, TimedTrial> trials = new LinkedHashMap<>();
        jdbc.sql("""
                select t.id, t.ordinal, t.config, m.* from trial t cross join lateral (
                    select distinct on (stage) stage, blocks, median_ns, ci_low_ns, ci_high_ns from measurement
                    where trial_id = t.id and mode = 'sustained' order by stage, id desc) m
                where t.study_id = :study and t.outcome = 'completed' order by t.ordinal""").param("study", studyId).query(row -> {
            TimedTrial one = new TimedTrial(
                    row.getObject("id", UUID.class),
                    row.getInt("ordinal"),
                    json.read(row, "config", Config.class),
                    List.of(time(row)));
            trials.merge(one.id(), one, TimedTrial::with);
        });
        return List.copyOf(trials.values());
    }

    private static TimedTrial.Time time(ResultSet row) throws SQLException {
        return new TimedTrial.Time(
                JsonColumn.word(row, "stage", Stage.class),
                row.getInt("blocks"),
                new TimeInterval(
                        row.getDouble("median_ns"),
                        JsonColumn.realOrNull(row, "ci_low_ns"),
                        JsonColumn.realOrNull(row, "ci_high_ns")));
    }

    private TrialRow map(ResultSet row) throws SQLException {
        Integer gridX = JsonColumn.wholeOrNull(row, "grid_x");
        String times = row.getString("times_ns");
        SchedulerEvidence evidence = json.readOrNull(row, "evidence", SchedulerEvidence.class);
        TrialDocument trial = new TrialDocument(
                row.getObject("id", UUID.class),
                row.getInt("ordinal"),
                row.getString("family"),
                json.read(row, "config", Config.class),
                JsonColumn.word(row, "state", TrialState.class),
                JsonColumn.wordOrNull(row, "outcome", TrialOutcome.class),
                row.getInt("attempts"),
                JsonColumn.realOrNull(row, "error_ratio"),
                JsonColumn.wholeOrNull(row, "registers"),
                JsonColumn.wholeOrNull(row, "spill_bytes"),
                JsonColumn.wholeOrNull(row, "shared_bytes"),
                row.getString("ptx_hash"),
                row.getString("cubin_hash"),
                gridX == null ? null : new Executed(gridX, row.getInt("cluster_size"), row.getInt("threads")),
                evidence == null ? null : evidence.tilesPerSm(),
                evidence == null ? null : evidence.idleTailFraction(),
                evidence,
                json.readOrNull(row, "checked", Checked.class),
                times == null ? null : json.read(row, "times_ns", new TypeReference<Map<String, Long>>() {}),
                row.getString("log"),
                JsonColumn.instant(row, "created_at"),
                JsonColumn.instantOrNull(row, "finished_at"),
                List.of(),
                null);
        return new TrialRow(row.getObject("study_id", UUID.class), trial);
    }
}
