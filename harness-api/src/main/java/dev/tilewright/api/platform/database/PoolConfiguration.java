package dev.tilewright.api.platform.database;

import com.github.kagkarlsson.scheduler.boot.config.DbSchedulerCustomizer;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Optional;
import java.util.Properties;
import javax.sql.DataSource;
import org.springframework.boot.flyway.autoconfigure.FlywayConfigurationCustomizer;
import org.springframework.boot.flyway.autoconfigure.FlywayDataSource;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

/** The connection pools of the database, and their limits. */
@Configuration(proxyBeanMethods = false)
class PoolConfiguration {

    @Bean
    Pools pools(JdbcConnectionDetails database, MeterRegistry meters) {
        return new Pools(database, meters);
    }

    /** Migrations may take what no request may, and are over before the first one. */
    @Bean(defaultCandidate = false)
    @FlywayDataSource
    DataSource migrationDataSource(JdbcConnectionDetails database) {
        Properties properties = SessionLimits.MIGRATION.driver();
        properties.setProperty("user", database.getUsername());
        properties.setProperty("password", database.getPassword());
        return new DriverManagerDataSource(database.getJdbcUrl(), properties);
    }

    @Bean
    FlywayConfigurationCustomizer migrationLimits() {
        return flyway -> flyway.initSql(SessionLimits.MIGRATION.statements());
    }

    /** The scheduler of background work looks into its own table, however busy users are. */
    @Bean
    DbSchedulerCustomizer schedulerConnections(Pools pools) {
        return new DbSchedulerCustomizer() {
            @Override
            public Optional<DataSource> dataSource() {
                return Optional.of(pools.only(ConnectionPool.STUDIES));
            }
        };
    }
}
