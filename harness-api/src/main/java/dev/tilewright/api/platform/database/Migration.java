package dev.tilewright.api.platform.database;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;
import org.flywaydb.core.Flyway;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.flyway.autoconfigure.FlywayMigrationStrategy;
import org.springframework.context.SmartLifecycle;

/**
 * Brings the schema up to date beside the making of the other beans, none of which asks the database anything. The
 * service listens when both are done.
 */
final class Migration implements FlywayMigrationStrategy, SmartLifecycle {

    private final Supplier<@Nullable EmbeddedDatabase> embedded;
    private volatile @Nullable FutureTask<Void> work;
    private volatile boolean ready;

    /** @param embedded our own Postgres, which may still be coming up; nothing for an external one */
    Migration(Supplier<@Nullable EmbeddedDatabase> embedded) {
        this.embedded = embedded;
    }

    @Override
    public void migrate(Flyway flyway) {
        EmbeddedDatabase own = embedded.get();
        FutureTask<Void> migrating = new FutureTask<>(() -> {
            if (own != null) {
                own.awaitUp();
            }
            flyway.migrate();
            return null;
        });
        work = migrating;
        Thread.ofPlatform().name("migration").daemon().start(migrating);
    }

    /** Waits for the schema; a failure is one of the whole service. */
    @Override
    public void start() {
        FutureTask<Void> migrating = work;
        if (migrating == null) {
            return;
        }
        try {
            migrating.get();
            ready = true;
        } catch (ExecutionException failed) {
            throw new IllegalStateException("the database is not ready", failed.getCause());
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("stopped while the database was made ready", stopped);
        }
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
        return ready;
    }
}
