package dev.tilewright.api.platform.database;

import java.sql.Connection;
import java.sql.SQLException;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.stereotype.Component;

/**
 * Whether the database answers, and how many connections of each pool are in use. It is asked with a connection for
 * control and answers within a few seconds, whatever became of the database. A pool for others that is exhausted is
 * said, and leaves the service up: it still gives work to workers.
 */
@Component("dbHealthIndicator")
record DatabaseHealthIndicator(Pools pools) implements HealthIndicator {

    private static final int ANSWER_SECONDS = 1;

    @Override
    public Health health() {
        Health.Builder health = ConnectionPool.CONTROL.call(this::asked);
        for (ConnectionPool pool : ConnectionPool.values()) {
            Pools.Use use = pools.use(pool);
            String line = use.used() + " of " + pool.size() + " connections in use";
            health.withDetail(
                    pool.toString(), use.waiting() == 0 ? line : line + ", " + use.waiting() + " requests wait");
        }
        return health.build();
    }

    private Health.Builder asked() {
        try (Connection connection = pools.getConnection()) {
            return connection.isValid(ANSWER_SECONDS)
                    ? Health.up()
                    : Health.down().withDetail("error", "no answer within " + ANSWER_SECONDS + " s");
        } catch (SQLException away) {
            return Health.down()
                    .withDetail("error", TimeLimit.reachedBy(away).orElse(String.valueOf(away.getMessage())));
        }
    }
}
