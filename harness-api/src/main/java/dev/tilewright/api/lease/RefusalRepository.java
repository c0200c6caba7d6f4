package dev.tilewright.api.lease;

import static dev.tilewright.api.platform.database.JsonColumn.at;

import java.time.Instant;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Table {@code refusal}. */
@Repository
record RefusalRepository(JdbcClient jdbc) {

    /** Notes that a worker cannot do a study; again changes nothing. */
    void insert(UUID workerId, UUID studyId, String reason, Instant now) {
        jdbc.sql("""
                insert into refusal (worker_id, study_id, reason, refused_at) values (:worker, :study, :reason, :now)
                on conflict do nothing""")
                .param("worker", workerId)
                .param("study", studyId)
                .param("reason", reason)
                .param("now", at(now))
                .update();
    }

    /** Workers that refused a study. */
    Set<UUID> workers(UUID studyId) {
        return new HashSet<>(jdbc.sql("select worker_id from refusal where study_id = :study")
                .param("study", studyId)
                .query(UUID.class)
                .list());
    }
}
