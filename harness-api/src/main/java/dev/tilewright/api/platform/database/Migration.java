package dev.tilewright.api.platform.database;

import dev.tilewright.api.platform.ServiceSettings;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Clock;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;
import org.flywaydb.core.Flyway;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.flyway.autoconfigure.FlywayMigrationStrategy;
import org.springframework.context.SmartLifecycle;

/**
 * Brings the schema up to date beside the making of the other beans, none of which asks the database anything. The
 * service listens when both are done. No migration can be undone, so that jobs of an older schema are copied first: our
 * own Postgres by us, an external one by its owner, who then asks for the migration.
 */
final class Migration implements FlywayMigrationStrategy, SmartLifecycle, SchemaVersion {

    private static final Logger LOG = LoggerFactory.getLogger(Migration.class);
    private static final DateTimeFormatter MOMENT =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

    private final Supplier<@Nullable EmbeddedDatabase> embedded;
    private final ServiceSettings settings;
    private final Clock clock;
    private volatile @Nullable FutureTask<String> work;
    private volatile @Nullable String current;

    /** @param embedded our own Postgres, which may still be coming up; nothing for an external one */
    Migration(Supplier<@Nullable EmbeddedDatabase> embedded, ServiceSettings settings, Clock clock) {
        this.embedded = embedded;
        this.settings = settings;
        this.clock = clock;
    }

    @Override
    public void migrate(Flyway flyway) {
        EmbeddedDatabase own = embedded.get();
        FutureTask<String> migrating = new FutureTask<>(() -> {
            if (own != null) {
                own.awaitUp();
            }
            return migrated(flyway, own);
        });
        work = migrating;
        Thread.ofPlatform().name("migration").daemon().start(migrating);
    }

    private String migrated(Flyway flyway, @Nullable EmbeddedDatabase own) throws SQLException, IOException {
        Schema schema = Schema.of(flyway);
        if (schema.isNewer()) {
            throw new RefusedSchemaException(
                    "the database has schema " + schema.before() + ", which is newer than schema " + schema.known()
                            + " of this program: run a program that knows it");
        }
        if (schema.isOlder()
                && !settings.migrate()
                && Schema.hasWork(flyway.getConfiguration().getDataSource())) {
            keep(schema, own);
        }
        flyway.migrate();
        if (schema.isOlder()) {
            LOG.info("the database had schema {} and has schema {} now", schema.before(), schema.known());
        }
        return schema.known().toString();
    }

    private void keep(Schema schema, @Nullable EmbeddedDatabase own) throws IOException {
        String older =
                "the database has schema " + schema.before() + ", and this program needs schema " + schema.known();
        if (own == null) {
            throw new RefusedSchemaException(older + ": copy the database first, such as with 'pg_dump --format=custom"
                    + " --file=tilewright-" + schema.before() + ".dump', and then start with --migrate");
        }
        Path copy = settings.files().postgresCopy(schema.before() + "-" + MOMENT.format(clock.instant()));
        try {
            own.copyTo(copy);
        } catch (NoRoomException tooSmall) {
            throw new RefusedSchemaException(older + ", but it cannot be copied first: " + tooSmall.getMessage()
                    + "; make room, or start with --migrate to do without a copy");
        }
        LOG.info("{}; a copy of it from before is kept in {}", older, copy);
    }

    /** Waits for the schema; a failure is one of the whole service. */
    @Override
    public void start() {
        FutureTask<String> migrating = work;
        if (migrating == null) {
            return;
        }
        try {
            current = migrating.get();
        } catch (ExecutionException failed) {
            throw new IllegalStateException("the database is not ready", failed.getCause());
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("stopped while the database was made ready", stopped);
        }
    }

    @Override
    public String current() {
        return Objects.requireNonNullElse(current, "none");
    }

    /** Before the server begins to listen, and before anything that works by itself. */
    @Override
    public int getPhase() {
        return Integer.MIN_VALUE;
    }

    @Override
    public void stop() {}

    @Override
    public boolean isRunning() {
        return current != null;
    }
}
