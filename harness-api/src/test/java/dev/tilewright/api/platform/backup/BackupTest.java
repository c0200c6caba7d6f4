package dev.tilewright.api.platform.backup;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.Awaiting;
import dev.tilewright.api.testing.RunningService;
import dev.tilewright.api.testing.ScriptedWorker;
import dev.tilewright.api.testing.ServeProcess;
import dev.tilewright.model.exchange.Lease;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;
import org.springframework.boot.logging.LogLevel;
import org.springframework.boot.logging.LoggingSystem;
import tools.jackson.databind.JsonNode;

/** What a service keeps goes into one file and comes back, whether it runs or not, and nothing of it is lost. */
class BackupTest {

    @TempDir
    Path folder;

    private record Said(int code, String out, String err) {}

    private static Said run(Map<String, String> environment, String... arguments) {
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        int code = BackupMain.run(
                environment, Clock.systemUTC(), new PrintWriter(out, true), new PrintWriter(err, true), arguments);
        return new Said(code, out.toString().strip(), err.toString().strip());
    }

    /** The libraries told of each migration, 40 lines before the one that is wanted. */
    @Test
    void aVerbLeavesOutTheStepsOfItsLibraries() {
        LoggingSystem logging = LoggingSystem.get(getClass().getClassLoader());
        LogLevel before =
                logging.getLoggerConfiguration(LoggingSystem.ROOT_LOGGER_NAME).getEffectiveLevel();
        try {
            BackupMain.leaveOutSteps();
            for (String library : List.of("org.flywaydb.core", "io.zonky.test.db")) {
                assertThat(LoggerFactory.getLogger(library).isInfoEnabled())
                        .as(library)
                        .isFalse();
                assertThat(LoggerFactory.getLogger(library).isWarnEnabled())
                        .as(library)
                        .isTrue();
            }
        } finally {
            logging.setLogLevel(LoggingSystem.ROOT_LOGGER_NAME, before);
        }
    }

    private Map<String, String> home(String name) {
        return Map.of("TILEWRIGHT_HOME", folder.resolve(name).toString());
    }

    private ServeProcess serve(String home, Map<String, String> more) throws IOException {
        Map<String, String> environment = new HashMap<>(more);
        environment.put("TILEWRIGHT_WORKER_TOKEN", RunningService.WORKER_TOKEN);
        return ServeProcess.start(folder.resolve(home), environment, "--port", "0", "--no-worker");
    }

    private static void stop(ServeProcess serve) {
        serve.process().destroy();
        assertThat(serve.process().onExit()).succeedsWithin(Duration.ofSeconds(60));
    }

    private static String sweep(Api api) {
        String job = api.post("/api/v1/jobs", """
            {"name":"a\\ttab, \\"quotes\\" \\\\ and ü","problems":[{"m":640,"n":384,"k":256}],"strategy":"random",
            "budget":{"trials":3},"device":"simulated:h200"}\
            """).expect(202).get("id").asString();
        ScriptedWorker worker = ScriptedWorker.simulated(api);
        for (int done = 0; done < 3; ) {
            for (Lease lease : worker.lease(3)) {
                worker.complete(lease, 1000 + done++);
            }
        }
        Awaiting.until(() -> api.job(job).get("state").asString().equals("finished"));
        return job;
    }

    @Test
    void wrongUsageIsOneLineWithExitCode2() {
        Said backup = run(home("none"), "backup", "--to", "x", "--two", "y");
        assertThat(backup.code()).isEqualTo(2);
        assertThat(backup.err()).isEqualTo("tilewright backup: unknown option '--two' (see tilewright backup --help)");
        Said restore = run(home("none"), "restore");
        assertThat(restore.code()).isEqualTo(2);
        assertThat(restore.err())
                .hasLineCount(1)
                .startsWith("tilewright restore: ")
                .contains("FILE");
    }

    @Test
    void aFileThatCannotBeReadOrWrittenIsAWrongArgument() throws IOException {
        Path there = Files.writeString(folder.resolve("there"), "something");
        assertWrong("backup --to " + there, "--to: " + there + " exists; name a file that does not");
        assertWrong("backup --to /proc/x", "--to: /proc/x cannot be written: no such file or folder");
        assertWrong("backup --to " + there + "/x", "--to: the folder " + there + " does not exist");
        assertWrong("restore " + folder.resolve("absent"), "there is no file " + folder.resolve("absent"));
    }

    private void assertWrong(String call, String reason) {
        String[] words = call.split(" ");
        String verb = "tilewright " + words[0];
        assertThat(run(home("none"), words))
                .isEqualTo(new Said(2, "", verb + ": " + reason + " (see " + verb + " --help)"));
    }

    @Test
    void aServiceComesBackFromItsBackupAsItWas() throws Exception {
        ServeProcess first = serve("first", Map.of());
        Api api = new Api(first.url());
        String job = sweep(api);
        JsonNode result = api.result(job);

        Path file = folder.resolve("running.backup");
        Said running = run(home("first"), "backup", "--to", file.toString());
        assertThat(running.err()).isEmpty();
        assertThat(running.out()).startsWith("backup: 1 job, 1 study, 3 trials, 0 kernel files, schema 0");
        assertThat(Files.getPosixFilePermissions(file)).isEqualTo(PosixFilePermissions.fromString("rw-------"));
        assertThat(run(home("first"), "restore", file.toString()).err())
                .isEqualTo("tilewright restore: a service runs on " + folder.resolve("first")
                        + ": stop it, and restore into another home");
        stop(first);
        Path later = folder.resolve("stopped.backup");
        assertThat(run(home("first"), "backup", "--to", later.toString()).code())
                .isZero();
        assertThat(run(home("first"), "restore", file.toString()).err())
                .isEqualTo("tilewright restore: the home " + folder.resolve("first")
                        + " has a database already: restore into another home (TILEWRIGHT_HOME), or move "
                        + folder.resolve("first/postgres") + " away");

        // Of a database that does not start nothing is left, and the home is free for the next try.
        Path inTheWay = folder.resolve("second/postgres-programs");
        Files.createDirectories(inTheWay.getParent());
        Files.writeString(inTheWay, "no folder");
        assertThat(run(home("second"), "restore", later.toString()).code()).isNotZero();
        assertThat(folder.resolve("second/postgres")).doesNotExist();
        Files.delete(inTheWay);
        Said restored = run(home("second"), "restore", later.toString());
        assertThat(restored.err()).isEmpty();
        assertThat(restored.out()).startsWith("restored: 1 job, 1 study, 3 trials");
        ServeProcess second = serve("second", Map.of());
        try {
            Api back = new Api(second.url());
            assertThat(back.result(job)).isEqualTo(result);
            // Numbers go on where they were: no new row takes that of an old one.
            assertThat(back.get("/api/v1/jobs").expect(200).get("items")).hasSize(1);
            String next = sweep(back);
            assertThat(back.get("/api/v1/jobs")
                            .expect(200)
                            .get("items")
                            .valueStream()
                            .map(one -> one.get("id").asString()))
                    .containsExactly(next, job);
        } finally {
            stop(second);
        }
    }

    @Test
    void anExternalDatabaseIsBackedUpAndFilledByItsAddress() throws Exception {
        Path file = folder.resolve("external.backup");
        try (EmbeddedPostgres server = EmbeddedPostgres.start()) {
            String address = "postgres://postgres@localhost:" + server.getPort() + "/";
            Map<String, String> old = Map.of("DATABASE_URL", address + "postgres");
            assertThat(run(old, "backup", "--to", file.toString()).err())
                    .isEqualTo(
                            "tilewright backup: the database has no schema of Tilewright: there is nothing to back up");
            assertThat(file).doesNotExist();
            ServeProcess service = serve("api", old);
            String job = sweep(new Api(service.url()));
            stop(service);
            assertThat(run(old, "backup", "--to", file.toString()).code()).isZero();

            try (var connection = server.getPostgresDatabase().getConnection();
                    var statement = connection.createStatement()) {
                statement.execute("create database other");
            }
            Map<String, String> other = Map.of("DATABASE_URL", address + "other");
            assertThat(run(other, "restore", file.toString()).err()).isEmpty();
            assertThat(run(other, "restore", file.toString()).err())
                    .startsWith("tilewright restore: the database 'other' has ")
                    .endsWith(" tables, and must be empty: restore into another one");
            ServeProcess back = serve("api", other);
            try {
                assertThat(new Api(back.url()).result(job).get("studies").get(0).get("trials"))
                        .hasSize(3);
            } finally {
                stop(back);
            }
        }
    }

    @Test
    void whatCannotBeDoneIsSaidInOneLine() throws Exception {
        assertThat(run(home("none"), "backup", "--to", folder.resolve("x").toString())
                        .err())
                .startsWith(
                        "tilewright backup: the home " + folder.resolve("none") + " has no database: there is nothing");
        Path there = Files.writeString(folder.resolve("there"), "something");
        assertThat(run(home("none"), "restore", there.toString()))
                .isEqualTo(new Said(
                        4,
                        "",
                        "tilewright restore: " + there
                                + " is no backup, or it is damaged: it is no zip archive, or a damaged one"));
        assertThat(run(home("none"), "restore", manifest("\"099\"", 1).toString())
                        .err())
                .contains(
                        " has schema 099, which is newer than schema 0",
                        "restore it with the program of commit c0ffee");
        assertThat(run(home("none"), "restore", manifest("\"027\"", 2).toString())
                        .err())
                .endsWith(" has format 2, and this program reads format 1");
        assertThat(run(home("none"), "backup").code()).isEqualTo(2);
        // A backup that lacks what its manifest names leaves no half of a home.
        assertThat(run(home("none"), "restore", manifest("\"027\"", 1).toString())
                        .err())
                .contains(" has the tables [job], and schema 027 has [");
        assertThat(folder.resolve("none/postgres")).doesNotExist();
    }

    private Path manifest(String schema, int format) throws IOException {
        Path file = folder.resolve("made-" + schema.replace("\"", "") + "-" + format);
        try (FileSystem zip = FileSystems.newFileSystem(file, Map.of("create", "true"))) {
            Files.write(
                    zip.getPath("manifest.json"), """
                        {"format":%d,"schema":%s,"commit":"c0ffee","takenAt":"2026-11-25T00:00:00Z","rows":{"job":1},"sequences":{}}\
                        """.formatted(format, schema).getBytes(StandardCharsets.UTF_8));
        }
        return file;
    }
}
