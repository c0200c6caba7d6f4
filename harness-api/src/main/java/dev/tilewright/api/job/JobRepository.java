package dev.tilewright.api.job;

import static dev.tilewright.api.platform.database.JsonColumn.at;

import dev.tilewright.api.platform.database.JsonColumn;
import dev.tilewright.api.study.JobOptions;
import dev.tilewright.api.study.StudyState;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Table {@code job}. */
@Repository
class JobRepository {

    private final JdbcClient jdbc;
    private final JsonColumn json;

    JobRepository(JdbcClient jdbc, JsonColumn json) {
        this.jdbc = jdbc;
        this.json = json;
    }

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

    /** Jobs that came before this one, newest first. */
    List<JobRow> before(long seq, int limit) {
        return jdbc.sql("select * from job where seq < :seq order by seq desc limit :limit")
                .param("seq", seq)
                .param("limit", limit)
                .query((row, number) -> map(row))
                .list();
    }

    private JobRow map(ResultSet row) throws SQLException {
        return new JobRow(
                row.getObject("id", UUID.class),
                row.getLong("seq"),
                row.getString("name"),
                StudyState.of(row.getString("state")),
                json.read(row, "options", JobOptions.class),
                row.getString("submitted_by"),
                JsonColumn.instant(row, "created_at"),
                JsonColumn.instantOrNull(row, "finished_at"));
    }
}
