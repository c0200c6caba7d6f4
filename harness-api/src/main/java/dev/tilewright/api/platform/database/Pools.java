package dev.tilewright.api.platform.database;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import javax.sql.DataSource;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;

/** The database of the service: each connection comes from the pool that its thread works with. */
public final class Pools extends AbstractRoutingDataSource implements AutoCloseable {

    private static final Duration VALIDATION = Duration.ofSeconds(1);

    private final Map<ConnectionPool, HikariDataSource> pools = new EnumMap<>(ConnectionPool.class);

    /** None connects before it is used. */
    Pools(JdbcConnectionDetails database, MeterRegistry meters) {
        for (ConnectionPool pool : ConnectionPool.values()) {
            pools.put(pool, create(pool, database, meters));
        }
        setTargetDataSources(Map.copyOf(pools));
    }

    private static HikariDataSource create(ConnectionPool pool, JdbcConnectionDetails database, MeterRegistry meters) {
        HikariDataSource source = new HikariDataSource();
        source.setPoolName(pool.toString());
        source.setJdbcUrl(database.getJdbcUrl());
        source.setUsername(database.getUsername());
        source.setPassword(database.getPassword());
        source.setMaximumPoolSize(pool.size());
        source.setMinimumIdle(1);
        source.setConnectionTimeout(pool.connectionWait().toMillis());
        source.setValidationTimeout(VALIDATION.toMillis());
        // A database that is away when the first connection is asked for may come back.
        source.setInitializationFailTimeout(-1);
        source.setConnectionInitSql(pool.limits().statements());
        source.setDataSourceProperties(pool.limits().driver());
        source.setMetricRegistry(meters);
        return source;
    }

    @Override
    protected Object determineCurrentLookupKey() {
        return ConnectionPool.current();
    }

    /** One pool alone, for whoever keeps a database of its own. */
    DataSource only(ConnectionPool pool) {
        return pools.get(pool);
    }

    /**
     * How a pool stands.
     *
     * @param used connections that somebody works with
     * @param waiting threads that wait for one
     */
    public record Use(int used, int waiting) {}

    /** How a pool stands at this moment; nothing is used of one that was never asked for a connection. */
    public Use use(ConnectionPool pool) {
        HikariPoolMXBean state = pools.get(pool).getHikariPoolMXBean();
        return state == null
                ? new Use(0, 0)
                : new Use(state.getActiveConnections(), state.getThreadsAwaitingConnection());
    }

    /** Has all connections made anew. */
    public void renew() {
        pools.values().stream()
                .map(HikariDataSource::getHikariPoolMXBean)
                .filter(java.util.Objects::nonNull)
                .forEach(HikariPoolMXBean::softEvictConnections);
    }

    @Override
    public void close() {
        pools.values().forEach(HikariDataSource::close);
    }
}
