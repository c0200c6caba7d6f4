package dev.tilewright.api.study;

import static dev.tilewright.api.platform.database.JsonColumn.at;

import dev.tilewright.api.platform.database.JsonColumn;
import dev.tilewright.model.exchange.StudyState;
import java.time.Instant;
import java.util.Optional;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** The state of a job, which follows from its studies; guarded by the state before. */
@Repository
public class JobProgressRepository {

    private final JdbcClient jdbc;

    JobProgressRepository(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** A queued job is running as soon as one of its studies is; true if that is new. */
    public boolean start(UUID jobId) {
        return jdbc.sql("update job set state = 'running' where id = :id and state = 'queued'")
                        .param("id", jobId)
                        .update()
                == 1;
    }

    /**
     * Ends the job if no study is open any more and no range of M is to have more of them; empty if that is not new. A
     * job failed where every study did, or a range has no table.
     */
    public Optional<StudyState> endIfDone(UUID jobId, Instant now) {
        // The row first: two last studies that end at once must see each other.
        jdbc.sql("select id from job where id = :id for no key update")
                .param("id", jobId)
                .query(UUID.class)
                .single();
        return jdbc.sql("""
                update job set finished_at = :now, state = case
                    when exists (select from job_range where job_id = :id and error is not null) then 'failed'
                    when exists (select from study where job_id = :id and state <> 'failed') then 'finished' else 'failed' end
                where id = :id and state in ('queued', 'running')
                    and not exists (select from study where job_id = :id and state in ('queued', 'running'))
                    and not exists (select from job_range where job_id = :id and phase <> 'over')
                returning state""")
                .param("id", jobId)
                .param("now", at(now))
                .query((row, number) -> JsonColumn.word(row, "state", StudyState.class))
                .optional();
    }

    /** Cancels a job that is not over; true if it was not. */
    public boolean cancel(UUID jobId, Instant now) {
        return jdbc.sql("""
                update job set state = 'cancelled', finished_at = :now where id = :id and state in ('queued', 'running')""").param("id", jobId).param("now", at(now)).update() == 1;
    }
}
