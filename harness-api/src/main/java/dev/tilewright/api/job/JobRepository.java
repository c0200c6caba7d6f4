package dev.tilewright.api.job;

import static dev.tilewright.api.platform.database.JsonColumn.at;

import dev.tilewright.api.platform.database.JsonColumn;
import dev.tilewright.api.study.JobOptions;
import dev.tilewright.model.exchange.StudyState;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Table {@code job}. */
@Repository
record JobRepository(JdbcClient jdbc, JsonColumn json) {

    void insert(UUID id, JobSpec job, String submitter, Instant now) {
        jdbc.sql("""
                insert into job (id, name, state, submitted_by, created_at, options)
                values (:id, :name, 'queued', :submitter, :now, cast(:options as jsonb))""")
                .param("options", json.write(job.options()))
                .param("id", id)
                .param("name", job.name())
                .param("submitter", submitter)
                .param("now", at(now))
                .update();
    }

    Optional<JobRow> find(UUID id) {
        return jdbc.sql("select * from job where id = :id")
                .param("id", id)
                .query((row, number) -> map(row))
                .optional();
    }

    /** Whether there is a job with this number in the order of their coming. */
    boolean exists(long seq) {
        return jdbc.sql("select exists (select from job where seq = :seq)")
                .param("seq", seq)
                .query(Boolean.class)
                .single();
    }

    /**
     * Jobs that are asked for.
     *
     * @param after number of the job that they come after; {@code null} from the first on
     */
    List<JobRow> list(JobQuery query, @Nullable Long after, int limit) {
        Map<String, String> conditions = new LinkedHashMap<>();
        conditions.put("state", "j.state = :state");
        conditions.put("name", "position(lower(:name) in lower(j.name)) > 0");
        conditions.put("device", "j.options ->> 'device' = :device");
        conditions.put("submitter", "j.submitted_by = :submitter");
        conditions.put("after", query.order().after());
        Map<String, Object> given = new LinkedHashMap<>();
        putKnown(given, "state", query.state() == null ? null : query.state().toString());
        putKnown(given, "name", query.name());
        putKnown(given, "device", query.device());
        putKnown(given, "submitter", query.submittedBy());
        putKnown(given, "after", after);
        String where = given.keySet().stream()
                .map(parameter -> " and " + conditions.get(parameter))
                .collect(Collectors.joining());
        return jdbc.sql("select j.* from job j" + (after == null ? "" : " join job a on a.seq = :after") + " where true"
                        + where + " order by " + query.order().order() + " limit :limit")
                .params(given)
                .param("limit", limit)
                .query((row, number) -> map(row))
                .list();
    }

    private static void putKnown(Map<String, Object> given, String parameter, @Nullable Object value) {
        if (value != null) {
            given.put(parameter, value);
        }
    }

    private JobRow map(ResultSet row) throws SQLException {
        return new JobRow(
                row.getObject("id", UUID.class),
                row.getLong("seq"),
                row.getString("name"),
                JsonColumn.word(row, "state", StudyState.class),
                json.read(row, "options", JobOptions.class),
                row.getString("submitted_by"),
                JsonColumn.instant(row, "created_at"),
                JsonColumn.instantOrNull(row, "finished_at"));
    }
}
