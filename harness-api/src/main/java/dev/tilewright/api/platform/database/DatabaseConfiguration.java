package dev.tilewright.api.platform.database;

import dev.tilewright.api.platform.ServiceSettings;
import java.io.IOException;
import java.time.Clock;
import java.util.Objects;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The pool's connection details: those of {@code DATABASE_URL}, or of our own Postgres where it is not set. */
@Configuration(proxyBeanMethods = false)
class DatabaseConfiguration {

    @Bean
    Migration migration(ObjectProvider<EmbeddedDatabase> embedded, ServiceSettings settings, Clock clock) {
        return new Migration(embedded::getIfAvailable, settings, clock);
    }

    /** An external Postgres. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnProperty("tilewright.database-url")
    static class External {

        @Bean
        JdbcConnectionDetails externalConnection(ServiceSettings settings) {
            DatabaseUrl url = DatabaseUrl.parse(Objects.requireNonNull(settings.databaseUrl()))
                    .withPassword(settings.databasePassword());
            return new Connection(
                    url.jdbcUrl(),
                    Objects.requireNonNullElse(url.user(), ""),
                    Objects.requireNonNullElse(url.password(), ""));
        }
    }

    /** The embedded Postgres. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnProperty(value = "tilewright.database-url", matchIfMissing = true, havingValue = "embedded")
    static class Embedded {

        /** {@code serve} has started one before Spring: it comes up beside the other beans. */
        @Bean
        @ConditionalOnMissingBean
        EmbeddedDatabase embeddedDatabase(ServiceSettings settings) throws IOException {
            settings.files().create();
            return EmbeddedDatabase.start(settings.files());
        }

        @Bean
        JdbcConnectionDetails embeddedConnection(EmbeddedDatabase database) {
            return new Connection(database.jdbcUrl(), database.user(), database.password());
        }
    }

    private record Connection(String getJdbcUrl, String getUsername, String getPassword)
            implements JdbcConnectionDetails {

        @Override
        public String toString() {
            return getJdbcUrl;
        }
    }
}
