package dev.tilewright.api.platform.database;

import dev.tilewright.api.platform.SecretFile;
import dev.tilewright.api.platform.ServiceHome;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Our own Postgres, with its data kept under the home folder. It comes up in a thread of its own, because unpacking its
 * programs and making its files takes seconds on a new home. A postmaster that dies is started again on the same port,
 * so that the pool finds it; one that a killed service left behind is stopped first.
 */
public final class EmbeddedDatabase implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedDatabase.class);
    private static final Duration START = Duration.ofSeconds(30);
    private static final Duration PAUSE = Duration.ofMillis(250);
    /** Whom all that it has belongs to. */
    public static final String USER = "postgres";

    private final ServiceHome home;
    private final String password;
    private final int port;
    private final Postmaster postmaster;
    private final Path data;
    private final FutureTask<Void> first = new FutureTask<>(this::startFirst);
    private @Nullable EmbeddedPostgres postgres;
    private boolean closed;

    private EmbeddedDatabase(ServiceHome home) throws IOException {
        this.home = home;
        this.password = SecretFile.readOrCreate(home.postgresPassword());
        this.data = home.postgres();
        Files.createDirectories(data);
        Files.createDirectories(home.postgresPrograms());
        this.postmaster = new Postmaster(data);
        this.port = freePort();
    }

    /**
     * Begins to start Postgres; {@link #awaitUp} tells when it answers.
     *
     * @throws IOException if the home cannot be used
     */
    public static EmbeddedDatabase start(ServiceHome home) throws IOException {
        EmbeddedDatabase database = new EmbeddedDatabase(home);
        Thread.ofPlatform().name("postgres-start").start(database.first);
        return database;
    }

    private @Nullable Void startFirst() throws IOException {
        postmaster.free();
        EmbeddedPostgres started = start();
        synchronized (this) {
            postgres = started;
        }
        // The library opens it to everybody, and whoever writes there has code run in our name.
        Files.setPosixFilePermissions(home.postgresPrograms(), PosixFilePermissions.fromString("rwx------"));
        supervise();
        return null;
    }

    /**
     * Waits until Postgres has answered for the first time.
     *
     * @throws IOException if it does not; its log says why
     */
    public void awaitUp() throws IOException, InterruptedException {
        try {
            first.get();
        } catch (ExecutionException failed) {
            Throwable cause = failed.getCause();
            throw new IOException("Postgres did not start: " + (cause == null ? failed : cause).getMessage(), cause);
        }
    }

    public String jdbcUrl() {
        return jdbcUrl(port);
    }

    /** Address of one that runs on this machine. */
    public static String jdbcUrl(int port) {
        return "jdbc:postgresql://127.0.0.1:" + port + "/postgres?connectTimeout=5";
    }

    public String user() {
        return USER;
    }

    public String password() {
        return password;
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private EmbeddedPostgres start() throws IOException {
        ProcessBuilder.Redirect log = ProcessBuilder.Redirect.appendTo(
                home.logs().resolve("postgres.log").toFile());
        return EmbeddedPostgres.builder()
                .setPort(port)
                .setDataDirectory(data)
                .setCleanDataDirectory(false)
                .setRegisterShutdownHook(false)
                .setOverrideWorkingDirectory(home.postgresPrograms().toFile())
                .setPGStartupWait(START)
                // The library switches both off, which is right for tests and loses results of ours.
                .setServerConfig("fsync", "on")
                .setServerConfig("synchronous_commit", "on")
                .setServerConfig("listen_addresses", "127.0.0.1")
                .setServerConfig("unix_socket_directories", "")
                .setServerConfig("log_checkpoints", "off")
                // Options of initdb beside the locale: other users of this machine need the password.
                .setLocaleConfig("auth-host", "scram-sha-256")
                .setLocaleConfig(
                        "pwfile", home.postgresPassword().toAbsolutePath().toString())
                .setConnectConfig("password", password)
                .setOutputRedirector(log)
                .setErrorRedirector(log)
                .start();
    }

    /**
     * Stops Postgres for as long as its files are copied, and starts it again.
     *
     * @throws NoRoomException if there is no room for the copy
     */
    synchronized void copyTo(Path target) throws IOException {
        closePostgres();
        postmaster.free();
        try {
            FolderCopy.copy(data, target);
        } finally {
            postgres = start();
            supervise();
        }
    }

    private synchronized void supervise() throws IOException {
        ProcessHandle process = postmaster
                .running()
                .orElseThrow(() -> new IOException("Postgres answered, but no postmaster works in " + data));
        EmbeddedPostgres served = postgres;
        process.onExit().thenRunAsync(() -> restart(served), Thread.ofVirtual().name("postgres-supervisor")::start);
    }

    /** @param died the one that has; another one may have been started meanwhile */
    private synchronized void restart(@Nullable EmbeddedPostgres died) {
        while (!closed && postgres == died) {
            LOG.warn("Postgres died; starting it again on port {}", port);
            try {
                // Releases the lock that the library holds on the directory; there is nothing left to stop.
                closePostgres();
                postmaster.free();
                postgres = start();
                supervise();
                LOG.info("Postgres is back on port {}", port);
                return;
            } catch (IOException | IllegalStateException e) {
                LOG.error("Postgres could not be started again: {}", e.getMessage());
                pause();
            }
        }
    }

    private void pause() {
        try {
            wait(PAUSE.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            closed = true;
        }
    }

    /** Stops Postgres, also while it is coming up; open transactions are rolled back. */
    @Override
    public void close() throws IOException {
        try {
            awaitUp();
        } catch (IOException neverUp) {
            LOG.debug("Postgres did not come up; what is left of it is stopped: {}", neverUp.getMessage());
        } catch (InterruptedException hurry) {
            Thread.currentThread().interrupt();
        }
        stop();
    }

    private synchronized void stop() throws IOException {
        closed = true;
        closePostgres();
        // The library gives up after a few seconds and says nothing; on a busy machine a shutdown takes longer.
        postmaster.free();
    }

    private void closePostgres() throws IOException {
        EmbeddedPostgres running = postgres;
        if (running != null) {
            running.close();
        }
    }
}
