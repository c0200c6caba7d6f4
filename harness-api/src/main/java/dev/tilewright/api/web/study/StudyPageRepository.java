package dev.tilewright.api.web.study;

import dev.tilewright.api.platform.database.JsonColumn;
import dev.tilewright.api.trial.TrialRepository;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.SchedulerEvidence;
import dev.tilewright.model.trial.Stage;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.space.parameter.Scheduler;
import dev.tilewright.space.ranking.FairShare;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The trials of a study for its pages: a few queries, however many there are. */
@Repository
public class StudyPageRepository {

    /** More are not shown: nobody would see them, and a page has its size. */
    private static final int MOST = 5000;

    private static final String ENDED = "t.study_id = :study and t.state = 'finished' and t.outcome <> 'pruned'";

    private final JdbcClient jdbc;
    private final JsonColumn json;

    StudyPageRepository(JdbcClient jdbc, JsonColumn json) {
        this.jdbc = jdbc;
        this.json = json;
    }

    /**
     * How many trials of a study have ended, without those that a rule has pruned.
     *
     * @param outcomes with how many trials had each
     * @param timed trials that completed and have a time
     */
    public record Ended(Map<TrialOutcome, Integer> outcomes, int timed) {}

    /** How many trials of a study have ended. */
    public Ended ended(UUID studyId) {
        Map<TrialOutcome, Integer> outcomes = new EnumMap<>(TrialOutcome.class);
        AtomicInteger timed = new AtomicInteger();
        jdbc.sql("""
                select t.outcome, count(*) as trials, count(*) filter (where t.outcome = 'completed' and exists (
                    select from measurement m where m.trial_id = t.id and m.mode = 'sustained')) as timed
                from trial t where %s group by t.outcome""".formatted(ENDED)).param("study", studyId).query(row -> {
            outcomes.put(JsonColumn.word(row, "outcome", TrialOutcome.class), row.getInt("trials"));
            timed.addAndGet(row.getInt("timed"));
        });
        return new Ended(outcomes, timed.get());
    }

    /**
     * The best trials that have ended, in the order of {@link StudyTrial#ORDER}; without those that a rule has pruned.
     * Beyond them come a fair share of the best of each scheduler, by which schedulers are compared, and one trial with
     * its twins.
     *
     * @param also the trial that is always there, such as the winner; {@code null} for none
     */
    public List<StudyTrial> best(UUID studyId, @Nullable UUID also) {
        return read(jdbc.sql("""
                with last as (
                    select distinct on (m.trial_id) m.trial_id, m.median_ns,
                        array_position(cast(:stages as text[]), m.stage) as stage
                    from measurement m where m.study_id = :study and m.trial_id is not null and m.mode = 'sustained'
                    order by m.trial_id, 3 desc, m.id desc),
                ranked as (
                    select t.id, t.config, row_number() over ranks as rank,
                        row_number() over (partition by t.config ->> :scheduler
                            order by l.stage desc nulls last, l.median_ns, t.ordinal) as of_scheduler
                    from trial t left join last l on l.trial_id = t.id and t.outcome = 'completed'
                    where %s window ranks as (order by l.stage desc nulls last, l.median_ns, t.ordinal))
                select id from ranked
                where rank <= :most or of_scheduler <= :share
                    or config - :scheduler = (select w.config - :scheduler from trial w where w.id = :also)
                order by rank""".formatted(ENDED))
                .param(
                        "stages",
                        Arrays.stream(Stage.values()).map(Stage::toString).toArray(String[]::new))
                .param("study", studyId)
                .param("scheduler", Scheduler.KEY.name())
                .param("also", also)
                .param("share", FairShare.ENOUGH)
                .param("most", MOST)
                .query(UUID.class)
                .list());
    }

    /** The trials of a study that have a screen, an even sample where there are too many to be drawn. */
    public TrialSample sample(UUID studyId) {
        Map<UUID, Integer> numbers = new LinkedHashMap<>();
        AtomicInteger all = new AtomicInteger();
        jdbc.sql("""
                with screened as (
                    select distinct on (m.trial_id) m.trial_id, m.tflops from measurement m
                    where m.study_id = :study and m.trial_id is not null and m.mode = 'sustained' and m.stage = 'screen'
                    order by m.trial_id, m.id desc),
                numbered as (
                    select t.id, c.tflops, row_number() over ends as number, count(*) over () as trials,
                        max(c.tflops) over (ends rows between unbounded preceding and 1 preceding) as best_before
                    from trial t join screened c on c.trial_id = t.id
                    where %s and t.outcome = 'completed' window ends as (order by t.finished_at, t.ordinal))
                select id, number, trials from numbered
                where trials <= :most or tflops > coalesce(best_before, 0)
                    or number * :most / trials > (number - 1) * :most / trials
                order by number""".formatted(ENDED))
                .param("study", studyId)
                .param("most", MOST)
                .query(row -> {
                    numbers.put(row.getObject("id", UUID.class), row.getInt("number"));
                    all.set(row.getInt("trials"));
                });
        return new TrialSample(read(List.copyOf(numbers.keySet())), numbers, all.get());
    }

    /** These trials in this order. */
    private List<StudyTrial> read(List<UUID> ids) {
        Map<UUID, StudyTrial> found = new HashMap<>();
        Map<UUID, Map<Stage, StudyTrial.Time>> times = times(ids);
        jdbc.sql("""
                select id, ordinal, config, outcome, finished_at,
                    (evidence ->> 'idleTailFraction')::double precision as idle_tail
                from trial where id = any(cast(:ids as uuid[]))""").param("ids", texts(ids)).query(row -> {
            UUID id = row.getObject("id", UUID.class);
            found.put(
                    id,
                    new StudyTrial(
                            id,
                            row.getInt("ordinal"),
                            json.read(row, "config", Config.class),
                            JsonColumn.word(row, "outcome", TrialOutcome.class),
                            JsonColumn.instantOrNull(row, "finished_at"),
                            JsonColumn.realOrNull(row, "idle_tail"),
                            List.copyOf(times.getOrDefault(id, Map.of()).values())));
        });
        return ids.stream().flatMap(id -> Stream.ofNullable(found.get(id))).toList();
    }

    private static String[] texts(List<UUID> ids) {
        return ids.stream().map(UUID::toString).toArray(String[]::new);
    }

    private Map<UUID, Map<Stage, StudyTrial.Time>> times(List<UUID> ids) {
        Map<UUID, Map<Stage, StudyTrial.Time>> times = new HashMap<>();
        jdbc.sql("""
                select trial_id, stage, blocks, median_ns, ci_low_ns, ci_high_ns, tflops, sm_clock_mhz from measurement
                where trial_id = any(cast(:ids as uuid[])) and mode = 'sustained' order by id""").param("ids", texts(ids)).query(row -> {
            StudyTrial.Time time = time(row);
            times.computeIfAbsent(row.getObject("trial_id", UUID.class), _ -> new EnumMap<>(Stage.class))
                    .put(time.stage(), time);
        });
        return times;
    }

    private static StudyTrial.Time time(ResultSet row) throws SQLException {
        return new StudyTrial.Time(
                JsonColumn.word(row, "stage", Stage.class),
                row.getInt("blocks"),
                row.getDouble("median_ns"),
                JsonColumn.realOrNull(row, "ci_low_ns"),
                JsonColumn.realOrNull(row, "ci_high_ns"),
                row.getDouble("tflops"),
                JsonColumn.realOrNull(row, "sm_clock_mhz"));
    }

    /** All that the traced runs of these trials showed; a trial that was not traced is not among them. */
    public Map<UUID, SchedulerEvidence> evidence(List<UUID> trialIds) {
        Map<UUID, SchedulerEvidence> found = new HashMap<>();
        jdbc.sql("select t.id, " + TrialRepository.WHOLE_EVIDENCE + " as evidence from trial t"
                        + " where t.id = any(cast(:ids as uuid[])) and t.evidence is not null")
                .param("ids", texts(trialIds))
                .query(row -> {
                    found.put(row.getObject("id", UUID.class), json.read(row, "evidence", SchedulerEvidence.class));
                });
        return found;
    }
}
