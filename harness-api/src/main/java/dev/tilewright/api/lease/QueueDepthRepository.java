package dev.tilewright.api.lease;

import java.sql.Timestamp;
import java.time.Clock;
import java.time.Duration;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** How much there is to do, for the meters and for whoever watches leases. */
@Repository
record QueueDepthRepository(JdbcClient jdbc, Clock clock) {

    int queuedTrials() {
        return count("select count(*) from trial where state = 'queued'");
    }

    int leasedTrials() {
        return count("select count(*) from trial where state = 'leased'");
    }

    int openStudies() {
        return count("select count(*) from study where state in ('queued', 'running')");
    }

    /** Whether any study or task is queued, running or leased. */
    boolean isWorkOpen() {
        return jdbc.sql("""
                select exists (select from study where state = 'running') or exists (select from study_queue)
                    or exists (select from gpu_task where state = 'queued')
                    or exists (select from gpu_task where state = 'leased')""").query(Boolean.class).single();
    }

    /** How many tasks are in a state. */
    int tasks(String state) {
        return jdbc.sql("select count(*) from gpu_task where state = :state")
                .param("state", state)
                .query(Integer.class)
                .single();
    }

    /** For how long the oldest of what is queued has waited, 0 if nothing is. */
    double oldestSeconds(String of) {
        String oldest = switch (of) {
            case "trials" -> "select min(created_at) from trial where state = 'queued'";
            case "studies" ->
                "select min(j.created_at) from study_queue q join study s on s.id = q.study_id join job j on j.id = s.job_id";
            case "tasks" -> "select min(created_at) from gpu_task where state = 'queued'";
            default -> throw new IllegalArgumentException("nothing of '" + of + "' is queued");
        };
        Timestamp since = jdbc.sql(oldest).query(Timestamp.class).optional().orElse(null);
        return since == null
                ? 0
                : Math.max(
                        0, Duration.between(since.toInstant(), clock.instant()).toMillis() / 1e3);
    }

    private int count(String sql) {
        return jdbc.sql(sql).query(Integer.class).single();
    }
}
