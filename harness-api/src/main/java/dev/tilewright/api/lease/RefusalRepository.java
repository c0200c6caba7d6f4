package dev.tilewright.api.lease;

import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** Table {@code refusal}. */
@Repository
record RefusalRepository(JdbcClient jdbc) {

    /** Notes that a worker cannot do a study; again changes nothing. */
    void insert(UUID workerId, UUID studyId) {
        jdbc.sql("insert into refusal (worker_id, study_id) values (:worker, :study) on conflict do nothing")
                .param("worker", workerId)
                .param("study", studyId)
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
