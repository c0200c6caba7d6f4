package dev.tilewright.api.lease;

import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.stereotype.Repository;

/** How much there is to do, for the meters. */
@Repository
class QueueDepthRepository {

    private final JdbcClient jdbc;

    QueueDepthRepository(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    int queuedTrials() {
        return count("select count(*) from trial where state = 'queued'");
    }

    int leasedTrials() {
        return count("select count(*) from trial where state = 'leased'");
    }

    int openStudies() {
        return count("select count(*) from study where state in ('queued', 'running')");
    }

    private int count(String sql) {
        return jdbc.sql(sql).query(Integer.class).single();
    }
}
