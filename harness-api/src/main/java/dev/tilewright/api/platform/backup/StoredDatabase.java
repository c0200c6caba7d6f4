package dev.tilewright.api.platform.backup;

import dev.tilewright.api.platform.SecretFile;
import dev.tilewright.api.platform.ServiceHome;
import dev.tilewright.api.platform.database.DatabaseUrl;
import dev.tilewright.api.platform.database.EmbeddedDatabase;
import dev.tilewright.api.platform.database.Postmaster;
import dev.tilewright.api.platform.database.backup.DatabaseLogin;
import dev.tilewright.api.platform.database.backup.RefusedBackupException;
import dev.tilewright.api.platform.process.HomeLock;
import dev.tilewright.api.platform.process.ServeEnvironment;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;
import org.springframework.util.FileSystemUtils;

/**
 * The database of a service as it is stored: that of {@code DATABASE_URL}, or the one of the home. The latter is
 * started for as long as it is asked, unless a service runs there, whose Postgres answers then.
 *
 * @param started what was started for it; {@code null} if it ran
 * @param lock of the home, while it was started
 */
record StoredDatabase(
        DatabaseLogin login,
        @Nullable EmbeddedDatabase started,
        @Nullable HomeLock lock) implements AutoCloseable {

    /** Opens what is there. */
    static StoredDatabase open(ServeEnvironment asked)
            throws IOException, InterruptedException, RefusedBackupException {
        if (asked.databaseUrl() != null) {
            return external(asked);
        }
        ServiceHome home = asked.home();
        if (!Files.isDirectory(home.postgres())) {
            throw new RefusedBackupException("the home " + home.root() + " has no database: there is nothing to back up"
                    + " (TILEWRIGHT_HOME names another home, DATABASE_URL an external database)");
        }
        Optional<HomeLock> lock = HomeLock.tryAcquire(home);
        return lock.isPresent() ? started(home, lock.get(), false) : running(home);
    }

    /** Makes a new one, in a home without one; an external one has to be there. */
    static StoredDatabase create(ServeEnvironment asked)
            throws IOException, InterruptedException, RefusedBackupException {
        if (asked.databaseUrl() != null) {
            return external(asked);
        }
        ServiceHome home = asked.home();
        HomeLock lock = HomeLock.tryAcquire(home)
                .orElseThrow(() -> new RefusedBackupException(
                        "a service runs on " + home.root() + ": stop it, and restore into another home"));
        if (Files.exists(home.postgres())) {
            lock.close();
            throw new RefusedBackupException("the home " + home.root()
                    + " has a database already: restore into another home (TILEWRIGHT_HOME), or move " + home.postgres()
                    + " away");
        }
        return started(home, lock, true);
    }

    private static StoredDatabase external(ServeEnvironment asked) {
        DatabaseUrl url = DatabaseUrl.parse(String.valueOf(asked.databaseUrl())).withPassword(asked.databasePassword());
        return new StoredDatabase(new DatabaseLogin(url.jdbcUrl(), url.user(), url.password()), null, null);
    }

    /** @param fresh whether it is made by this: then nothing is left of it if it does not start */
    private static StoredDatabase started(ServiceHome home, HomeLock lock, boolean fresh)
            throws IOException, InterruptedException {
        try {
            EmbeddedDatabase database = up(home);
            return new StoredDatabase(
                    new DatabaseLogin(database.jdbcUrl(), database.user(), database.password()), database, lock);
        } catch (IOException | InterruptedException | RuntimeException notUp) {
            if (fresh) {
                FileSystemUtils.deleteRecursively(home.postgres());
            }
            lock.close();
            throw notUp;
        }
    }

    private static EmbeddedDatabase up(ServiceHome home) throws IOException, InterruptedException {
        EmbeddedDatabase database = EmbeddedDatabase.start(home);
        try {
            database.awaitUp();
            return database;
        } catch (IOException | InterruptedException notUp) {
            database.close();
            throw notUp;
        }
    }

    private static StoredDatabase running(ServiceHome home) throws IOException, RefusedBackupException {
        OptionalInt port = new Postmaster(home.postgres()).port();
        if (port.isEmpty()) {
            throw new RefusedBackupException("a service is starting or stopping on " + home.root() + ": try again");
        }
        return new StoredDatabase(
                new DatabaseLogin(
                        EmbeddedDatabase.jdbcUrl(port.getAsInt()),
                        EmbeddedDatabase.USER,
                        SecretFile.readOrCreate(home.postgresPassword())),
                null,
                null);
    }

    @Override
    public void close() throws IOException {
        if (started != null) {
            started.close();
        }
        if (lock != null) {
            lock.close();
        }
    }
}
