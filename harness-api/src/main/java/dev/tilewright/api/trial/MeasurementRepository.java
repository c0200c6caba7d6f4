package dev.tilewright.api.trial;

import static dev.tilewright.api.platform.database.JsonColumn.at;

import dev.tilewright.api.platform.database.JsonColumn;
import dev.tilewright.model.trial.Measurement;
import dev.tilewright.model.trial.Mode;
import dev.tilewright.model.trial.Ratio;
import dev.tilewright.model.trial.Stage;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Table {@code measurement}: rows are added, never changed. */
@Repository
public class MeasurementRepository {

    private final JdbcClient jdbc;

    MeasurementRepository(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /**
     * Adds measurements of a trial, of an arm of a final, or of both.
     *
     * @param armId {@code null} outside finals
     */
    public void insert(
            UUID studyId, @Nullable UUID trialId, @Nullable UUID armId, List<Measurement> measurements, Instant now) {
        for (Measurement measurement : measurements) {
            Ratio ratio = measurement.ratioToAnchor();
            jdbc.sql("""
                    insert into measurement (study_id, trial_id, arm_id, mode, stage, blocks, launches, median_ns, ci_low_ns,
                        ci_high_ns, tflops, sm_clock_mhz, power_watts, temperature_celsius, anchor_ratio, anchor_ratio_low,
                        anchor_ratio_high, anchor_ratio_blocks, created_at)
                    values (:study, :trial, :arm, :mode, :stage, :blocks, :launches, :median, :low, :high, :tflops, :clock,
                        :power, :temperature, :ratio, :ratioLow, :ratioHigh, :ratioBlocks, :now)""")
                    .param("study", studyId)
                    .param("trial", trialId)
                    .param("arm", armId)
                    .param("mode", measurement.mode().toString())
                    .param("stage", measurement.stage().toString())
                    .param("blocks", measurement.blocks())
                    .param("launches", measurement.launches())
                    .param("median", measurement.medianNs())
                    .param("low", measurement.ciLowNs())
                    .param("high", measurement.ciHighNs())
                    .param("tflops", measurement.tflops())
                    .param("clock", measurement.smClockMhz())
                    .param("power", measurement.powerWatts())
                    .param("temperature", measurement.temperatureCelsius())
                    .param("ratio", ratio == null ? null : ratio.value())
                    .param("ratioLow", ratio == null ? null : ratio.low())
                    .param("ratioHigh", ratio == null ? null : ratio.high())
                    .param("ratioBlocks", ratio == null ? null : ratio.blocks())
                    .param("now", at(now))
                    .update();
        }
    }

    /** Measurements of all trials of a study, by trial, in the order in which they came. */
    public Map<UUID, List<Measurement>> byTrial(UUID studyId) {
        return grouped(
                "select * from measurement where study_id = :id and trial_id is not null order by id",
                "trial_id",
                studyId);
    }

    /** Measurements of all arms of a study's final, by arm. */
    public Map<UUID, List<Measurement>> byArm(UUID studyId) {
        return grouped(
                "select * from measurement where study_id = :id and arm_id is not null order by id", "arm_id", studyId);
    }

    public List<Measurement> ofTrial(UUID trialId) {
        return jdbc.sql("select * from measurement where trial_id = :id order by id")
                .param("id", trialId)
                .query((row, number) -> map(row))
                .list();
    }

    /** The highest sustained rate of completed trials, of the final if there was one; {@code null} if there is none. */
    public @Nullable Double bestTflops(UUID studyId) {
        // No join: one that was planned when the tables were small looks at every trial for every measurement, and this
        // is asked with each report.
        return jdbc.sql("""
                select coalesce(max(m.tflops) filter (where m.stage = 'final'), max(m.tflops)) as best
                from measurement m
                where m.study_id = :study and m.mode = 'sustained'
                    and (select t.outcome from trial t where t.id = m.trial_id) = 'completed'""")
                .param("study", studyId)
                .query((row, number) -> Optional.ofNullable(JsonColumn.realOrNull(row, "best")))
                .single()
                .orElse(null);
    }

    private Map<UUID, List<Measurement>> grouped(String sql, String key, UUID studyId) {
        Map<UUID, List<Measurement>> groups = new HashMap<>();
        jdbc.sql(sql).param("id", studyId).query(row -> {
            groups.computeIfAbsent(row.getObject(key, UUID.class), id -> new ArrayList<>())
                    .add(map(row));
        });
        return groups;
    }

    private static Measurement map(ResultSet row) throws SQLException {
        return new Measurement(
                Mode.valueOf(row.getString("mode").toUpperCase(Locale.ROOT)),
                Stage.valueOf(row.getString("stage").toUpperCase(Locale.ROOT)),
                row.getInt("blocks"),
                row.getInt("launches"),
                row.getDouble("median_ns"),
                JsonColumn.realOrNull(row, "ci_low_ns"),
                JsonColumn.realOrNull(row, "ci_high_ns"),
                row.getDouble("tflops"),
                JsonColumn.realOrNull(row, "sm_clock_mhz"),
                JsonColumn.realOrNull(row, "power_watts"),
                JsonColumn.realOrNull(row, "temperature_celsius"),
                ratioToAnchor(row));
    }

    private static @Nullable Ratio ratioToAnchor(ResultSet row) throws SQLException {
        Double value = JsonColumn.realOrNull(row, "anchor_ratio");
        return value == null
                ? null
                : new Ratio(
                        value,
                        row.getDouble("anchor_ratio_low"),
                        row.getDouble("anchor_ratio_high"),
                        row.getInt("anchor_ratio_blocks"));
    }
}
