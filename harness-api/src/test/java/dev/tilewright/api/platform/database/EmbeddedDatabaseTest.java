package dev.tilewright.api.platform.database;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.api.platform.ServiceHome;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EmbeddedDatabaseTest {

    private static final Duration DEADLINE = Duration.ofMinutes(2);

    @TempDir
    Path folder;

    private static Connection connect(EmbeddedDatabase database) throws SQLException {
        return DriverManager.getConnection(database.jdbcUrl(), database.user(), database.password());
    }

    private static int count(EmbeddedDatabase database) throws SQLException {
        try (Connection connection = connect(database);
                ResultSet row = connection.createStatement().executeQuery("select count(*) from kept")) {
            row.next();
            return row.getInt(1);
        }
    }

    /** Asks until the database answers again; what dies comes back in its own time. */
    private static int countWhenBack(EmbeddedDatabase database) throws InterruptedException {
        long end = System.nanoTime() + DEADLINE.toNanos();
        while (true) {
            try {
                return count(database);
            } catch (SQLException away) {
                assertThat(System.nanoTime())
                        .as("no answer within %s: %s", DEADLINE, away.getMessage())
                        .isLessThan(end);
                Thread.sleep(100);
            }
        }
    }

    private static ProcessHandle postmaster(ServiceHome home) throws IOException {
        return new Postmaster(home.postgres()).running().orElseThrow();
    }

    /** A Postgres that nobody looks after. */
    private static void startOrphan(ServiceHome home, Path control) throws Exception {
        int port;
        try (ServerSocket socket = new ServerSocket(0)) {
            port = socket.getLocalPort();
        }
        List<String> command = new ArrayList<>();
        // Postgres refuses to run as root; in a namespace of its own it is not.
        if (System.getProperty("user.name").equals("root")) {
            command.addAll(List.of("unshare", "-U"));
        }
        String options = "-p " + port + " -c listen_addresses=127.0.0.1 -c unix_socket_directories=";
        command.addAll(List.of(control.toString(), "-D", home.postgres().toString(), "-o", options, "-w", "start"));
        Process start = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        home.logs().resolve("orphan.log").toFile()))
                .start();
        assertThat(start.waitFor()).isZero();
    }

    @Test
    void dataOutliveEveryKindOfEnd() throws Exception {
        ServiceHome home = new ServiceHome(folder.resolve("home"));
        home.create();
        Path control;
        try (EmbeddedDatabase database = EmbeddedDatabase.start(home)) {
            database.awaitUp();
            try (Connection connection = connect(database)) {
                connection.createStatement().execute("create table kept as select 1 as n");
            }
            // Killed: it comes back at the same port, with what was committed.
            ProcessHandle first = postmaster(home);
            control = Path.of(first.info().command().orElseThrow()).resolveSibling("pg_ctl");
            assertThat(first.destroyForcibly()).isTrue();
            assertThat(countWhenBack(database)).isEqualTo(1);
            assertThat(postmaster(home).pid()).isNotEqualTo(first.pid());
            // Nobody gets in without the password.
            assertThatThrownBy(() -> DriverManager.getConnection(database.jdbcUrl(), database.user(), "guess"))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("password authentication failed");
            for (Path folder : List.of(home.root(), home.postgres(), home.postgresPrograms())) {
                assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(folder)))
                        .as(folder.toString())
                        .isEqualTo("rwx------");
            }
            assertThat(Files.getPosixFilePermissions(home.postgresPassword()))
                    .isEqualTo(PosixFilePermissions.fromString("rw-------"));
        }
        assertThat(new Postmaster(home.postgres()).running()).isEmpty();

        // Left behind by a service that was killed: the next one stops it and takes over.
        startOrphan(home, control);
        ProcessHandle orphan = postmaster(home);
        try (EmbeddedDatabase next = EmbeddedDatabase.start(home)) {
            next.awaitUp();
            assertThat(orphan.isAlive()).isFalse();
            assertThat(count(next)).isEqualTo(1);
        }
    }

    @Test
    void aPidFileThatNamesSomeOtherProcessIsRemovedAndThatProcessLeftAlone() throws IOException {
        Path data = Files.createDirectories(folder.resolve("data"));
        Path pidFile = data.resolve("postmaster.pid");
        Process other = new ProcessBuilder("sleep", "600").start();
        try {
            Files.writeString(pidFile, other.pid() + "\n" + data + "\n");
            Postmaster postmaster = new Postmaster(data);
            assertThat(postmaster.running()).isEmpty();
            postmaster.free();
            assertThat(pidFile).doesNotExist();
            assertThat(other.isAlive()).isTrue();
        } finally {
            other.destroyForcibly();
        }
    }
}
