package dev.tilewright.api.web.study;

import dev.tilewright.api.platform.database.JsonColumn;
import dev.tilewright.api.trial.TrialRepository;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.SchedulerEvidence;
import dev.tilewright.model.trial.Stage;
import dev.tilewright.model.trial.TrialOutcome;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The trials of a study for its pages: two queries, however many there are. */
@Repository
public class StudyPageRepository {

    /** More are not drawn: nobody would see them, and a page has its size. */
    private static final int MOST = 5000;

    private final JdbcClient jdbc;
    private final JsonColumn json;

    StudyPageRepository(JdbcClient jdbc, JsonColumn json) {
        this.jdbc = jdbc;
        this.json = json;
    }

    /** The trials that have ended, in the order in which they were asked; without those that a rule has pruned. */
    public List<StudyTrial> trials(UUID studyId) {
        Map<UUID, Map<Stage, StudyTrial.Time>> times = times(studyId);
        return jdbc.sql("""
                select id, ordinal, config, outcome, finished_at,
                    (evidence ->> 'idleTailFraction')::double precision as idle_tail
                from trial where study_id = :study and state = 'finished' and outcome <> 'pruned'
                order by ordinal limit :most""")
                .param("study", studyId)
                .param("most", MOST)
                .query((row, number) -> {
                    UUID id = row.getObject("id", UUID.class);
                    return new StudyTrial(
                            id,
                            row.getInt("ordinal"),
                            json.read(row, "config", Config.class),
                            JsonColumn.word(row, "outcome", TrialOutcome.class),
                            JsonColumn.instantOrNull(row, "finished_at"),
                            JsonColumn.realOrNull(row, "idle_tail"),
                            List.copyOf(times.getOrDefault(id, Map.of()).values()));
                })
                .list();
    }

    private Map<UUID, Map<Stage, StudyTrial.Time>> times(UUID studyId) {
        Map<UUID, Map<Stage, StudyTrial.Time>> times = new HashMap<>();
        jdbc.sql("""
                select trial_id, stage, blocks, median_ns, ci_low_ns, ci_high_ns, tflops, sm_clock_mhz from measurement
                where study_id = :study and trial_id is not null and mode = 'sustained' order by id""").param("study", studyId).query(row -> {
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
                .param("ids", trialIds.stream().map(UUID::toString).toArray(String[]::new))
                .query(row -> {
                    found.put(row.getObject("id", UUID.class), json.read(row, "evidence", SchedulerEvidence.class));
                });
        return found;
    }
}
