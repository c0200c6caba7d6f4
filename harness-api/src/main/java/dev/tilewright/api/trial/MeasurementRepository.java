package dev.tilewright.api.trial;

import static dev.tilewright.api.platform.database.JsonColumn.at;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.tilewright.api.platform.database.JsonColumn;
import dev.tilewright.api.platform.database.OneOrMany;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.trial.Measurement;
import dev.tilewright.model.trial.Mode;
import dev.tilewright.model.trial.Ratio;
import dev.tilewright.model.trial.Stage;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Table {@code measurement}: rows are added, never changed. */
@Repository
public class MeasurementRepository {

    private final JdbcClient jdbc;
    private final JsonColumn json;

    MeasurementRepository(JdbcClient jdbc, JsonColumn json) {
        this.jdbc = jdbc;
        this.json = json;
    }

    /**
     * Measurements of a trial, of an arm of a final, or of both.
     *
     * @param armId {@code null} outside finals
     */
    public record Measured(@Nullable UUID trialId, @Nullable UUID armId, List<Measurement> measurements) {}

    private record New(
            @Nullable UUID trialId,
            @Nullable UUID armId,
            @JsonUnwrapped Measurement measurement,
            double tflops) {}

    /** Adds measurements of a problem, in their order, with the rates that they mean. */
    public void insert(UUID studyId, Problem problem, List<Measured> measured, Instant now) {
        List<New> rows = measured.stream()
                .flatMap(of -> of.measurements().stream()
                        .map(measurement ->
                                new New(of.trialId(), of.armId(), measurement, problem.tflops(measurement.medianNs()))))
                .toList();
        if (rows.isEmpty()) {
            return;
        }
        jdbc.sql("""
                insert into measurement (study_id, trial_id, arm_id, mode, stage, blocks, launches, median_ns, ci_low_ns,
                    ci_high_ns, tflops, sm_clock_mhz, power_watts, temperature_celsius, anchor_ratio, anchor_ratio_low,
                    anchor_ratio_high, anchor_ratio_blocks, created_at)
                select :study, r."trialId", r."armId", r.mode, r.stage, r.blocks, r.launches, r."medianNs", r."ciLowNs",
                    r."ciHighNs", r.tflops, r."smClockMhz", r."powerWatts", r."temperatureCelsius",
                    (r."ratioToAnchor" ->> 'value')::double precision, (r."ratioToAnchor" ->> 'low')::double precision,
                    (r."ratioToAnchor" ->> 'high')::double precision, (r."ratioToAnchor" ->> 'blocks')::integer, :now
                from json_to_recordset(cast(:rows as json)) as r("trialId" uuid, "armId" uuid, mode text, stage text,
                    blocks integer, launches integer, "medianNs" double precision, "ciLowNs" double precision,
                    "ciHighNs" double precision, tflops double precision, "smClockMhz" double precision,
                    "powerWatts" double precision, "temperatureCelsius" double precision, "ratioToAnchor" json)""")
                .param("study", studyId)
                .param("rows", json.write(rows))
                .param("now", at(now))
                .update();
    }

    /** Measurements of these arms of finals, by arm, in the order in which they came. */
    public Map<UUID, List<Measurement>> ofArms(Collection<UUID> armIds) {
        return grouped("arm_id", armIds);
    }

    /** Measurements of these trials, by trial, in the order in which they came. */
    public Map<UUID, List<Measurement>> ofTrials(Collection<UUID> trialIds) {
        return grouped("trial_id", trialIds);
    }

    private Map<UUID, List<Measurement>> grouped(String key, Collection<UUID> ids) {
        Map<UUID, List<Measurement>> groups = new HashMap<>();
        if (ids.isEmpty()) {
            return groups;
        }
        OneOrMany asked = new OneOrMany(ids);
        jdbc.sql("select * from measurement where %s = %s order by id".formatted(key, asked.in("ids")))
                .param("ids", asked.value())
                .query(row -> {
                    groups.computeIfAbsent(row.getObject(key, UUID.class), of -> new ArrayList<>())
                            .add(map(row));
                });
        return groups;
    }

    private static Measurement map(ResultSet row) throws SQLException {
        return new Measurement(
                JsonColumn.word(row, "mode", Mode.class),
                JsonColumn.word(row, "stage", Stage.class),
                row.getInt("blocks"),
                row.getInt("launches"),
                row.getDouble("median_ns"),
                JsonColumn.realOrNull(row, "ci_low_ns"),
                JsonColumn.realOrNull(row, "ci_high_ns"),
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
