package dev.tilewright.api.event;

import static dev.tilewright.api.platform.database.JsonColumn.at;

import dev.tilewright.api.platform.database.JsonColumn;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Table {@code event}. */
@Repository
record EventRepository(JdbcClient jdbc, JsonColumn json) {

    /**
     * Holds the job until the transaction ends: ids become visible in their order, so that no reader misses one. They
     * are drawn after the job was had.
     */
    void append(UUID jobId, String type, boolean terminal, List<?> data, Instant now) {
        int added = jdbc.sql("""
                with held as materialized (select id from job where id = :job for no key update)
                insert into event (job_id, type, terminal, data, created_at)
                select held.id, :type, :terminal, e.data, :now
                from held cross join json_array_elements(cast(:data as json)) with ordinality as e(data, number)
                order by e.number""")
                .param("job", jobId)
                .param("type", type)
                .param("terminal", terminal)
                .param("data", json.write(data))
                .param("now", at(now))
                .update();
        if (added != data.size()) {
            throw new IllegalStateException("there is no job " + jobId);
        }
    }

    List<StoredEvent> after(UUID jobId, long lastId, int limit) {
        return jdbc.sql("""
                select id, type, terminal, data from event where job_id = :job and id > :last order by id limit :limit""")
                .param("job", jobId)
                .param("last", lastId)
                .param("limit", limit)
                .query((row, number) -> new StoredEvent(
                        row.getLong("id"), row.getString("type"), row.getBoolean("terminal"), row.getString("data")))
                .list();
    }

    boolean jobExists(UUID jobId) {
        return jdbc.sql("select exists (select from job where id = :job)")
                .param("job", jobId)
                .query(Boolean.class)
                .single();
    }

    /** Whether the last event of the job is this one or an earlier one. */
    boolean endedBy(UUID jobId, long id) {
        return jdbc.sql("select exists (select from event where job_id = :job and terminal and id <= :id)")
                .param("job", jobId)
                .param("id", id)
                .query(Boolean.class)
                .single();
    }
}
