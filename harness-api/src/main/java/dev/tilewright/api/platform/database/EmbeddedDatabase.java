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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Our own Postgres, with its data kept under the home folder. A postmaster that dies is started again on the same port,
 * so that the pool finds it; one that a killed service left behind is stopped first.
 */
final class EmbeddedDatabase implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(EmbeddedDatabase.class);
    private static final Duration START = Duration.ofSeconds(30);
    private static final Duration PAUSE = Duration.ofMillis(250);
    private static final String USER = "postgres";

    private final ServiceHome home;
    private final String password;
    private final int port;
    private final Postmaster postmaster;
    private final Path data;
    private EmbeddedPostgres postgres;
    private boolean closed;

    /**
     * Starts Postgres and waits until it answers.
     *
     * @throws IOException if it does not; its log says why
     */
    EmbeddedDatabase(ServiceHome home) throws IOException {
        this.home = home;
        this.password = SecretFile.readOrCreate(home.postgresPassword());
        this.data = home.postgres();
        Files.createDirectories(data);
        Files.createDirectories(home.postgresPrograms());
        this.postmaster = new Postmaster(data);
        this.port = freePort();
        postmaster.free();
        this.postgres = start();
        // The library opens it to everybody, and whoever writes there has code run in our name.
        Files.setPosixFilePermissions(home.postgresPrograms(), PosixFilePermissions.fromString("rwx------"));
        supervise();
    }

    String jdbcUrl() {
        return "jdbc:postgresql://127.0.0.1:" + port + "/postgres?connectTimeout=5";
    }

    String user() {
        return USER;
    }

    String password() {
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

    private void supervise() throws IOException {
        ProcessHandle process = postmaster
                .running()
                .orElseThrow(() -> new IOException("Postgres answered, but no postmaster works in " + data));
        process.onExit().thenRunAsync(this::restart, Thread.ofVirtual().name("postgres-supervisor")::start);
    }

    private synchronized void restart() {
        while (!closed) {
            LOG.warn("Postgres died; starting it again on port {}", port);
            try {
                // Releases the lock that the library holds on the directory; there is nothing left to stop.
                postgres.close();
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

    /** Stops Postgres; open transactions are rolled back. */
    @Override
    public synchronized void close() throws IOException {
        closed = true;
        postgres.close();
        // The library gives up after a few seconds and says nothing; on a busy machine a shutdown takes longer.
        postmaster.free();
    }
}
