package dev.tilewright.api.study.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.lease.LeaseWatch;
import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.Awaiting;
import dev.tilewright.api.testing.RunningService;
import dev.tilewright.api.testing.RunningService.Service;
import dev.tilewright.api.testing.ScriptedWorker;
import dev.tilewright.api.testing.ServeProcess;
import dev.tilewright.model.exchange.Lease;
import dev.tilewright.model.exchange.Work;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import tools.jackson.databind.JsonNode;

/** An external Postgres with a password, and two services on it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ReplicasTest {

    private static final String PASSWORD = "p@ss:w/rd";
    private static final String IN_URL = "p%40ss%3Aw%2Frd";
    private static final Duration TTL = Duration.ofSeconds(15);

    @TempDir
    static Path folder;

    private EmbeddedPostgres external;
    private Service one;
    private Service two;

    @BeforeAll
    void start() throws IOException {
        Path password = Files.writeString(folder.resolve("password"), PASSWORD + "\n");
        external = EmbeddedPostgres.builder()
                .setLocaleConfig("auth-host", "scram-sha-256")
                .setLocaleConfig("pwfile", password.toString())
                .setConnectConfig("password", PASSWORD)
                .start();
        Map<String, Object> properties =
                Map.of("db-scheduler.enabled", "false", "tilewright.database-url", url(IN_URL));
        one = RunningService.start(properties);
        assertThat(one.api().get("/actuator/prometheus").text())
                .contains("tilewright_leases_ended_total{application=\"tilewright\",ending=\"expired\"} 0.0");
        two = RunningService.start(properties);
    }

    @AfterAll
    void stop() throws IOException {
        two.close();
        one.close();
        external.close();
    }

    @BeforeEach
    void empty() {
        one.jdbc().sql("truncate job, worker, testbed cascade").update();
    }

    private String url(String password) {
        return "postgres://postgres:" + password + "@127.0.0.1:" + external.getPort() + "/postgres";
    }

    @Test
    void nothingOfTheServicesLiesInTheirHomes() throws IOException {
        assertThat(one.home().resolve("postgres")).doesNotExist();
        assertThat(one.jdbc()
                        .sql("select count(*) from flyway_schema_history where success")
                        .query(Integer.class)
                        .single())
                .isEqualTo(
                        new PathMatchingResourcePatternResolver().getResources("classpath:db/migration/*.sql").length);
    }

    @Test
    void whatOneTakesTheOtherGoesOnWith() {
        String id = one.api().submit("simulated:h200", "random", 2, "640x384x256");
        ScriptedWorker worker = ScriptedWorker.simulated(one.api());
        ScriptedWorker elsewhere = worker.at(two.api());
        Lease lease = worker.leaseOne();
        assertThat(elsewhere.heartbeat(lease)).isEmpty();
        elsewhere.complete(lease, 1000);
        worker.complete(elsewhere.leaseOne(), 900);
        Awaiting.until(() -> two.api().job(id).get("state").asString().equals("finished"));
        assertThat(one.api().result(id)).isEqualTo(two.api().result(id));
    }

    @Test
    void bothLeaseAtOnceAndNoTrialIsGivenTwice() throws Exception {
        String id = one.api().submit("simulated:h200", "random", 20, "640x384x256", "128x256x512", "72x88x96");
        List<Callable<List<UUID>>> workers = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            Api api = (i % 2 == 0 ? one : two).api();
            int each = i % 3 + 1;
            workers.add(() -> {
                ScriptedWorker worker = ScriptedWorker.simulated(api);
                List<UUID> done = new ArrayList<>();
                while (!api.job(id).get("state").asString().equals("finished")) {
                    for (Lease lease : worker.lease(each)) {
                        worker.complete(lease, 1000 + done.size());
                        done.add(((Work.Screen) lease.work()).trialId());
                    }
                }
                return done;
            });
        }
        List<UUID> all = atOnce(workers).stream().flatMap(List::stream).toList();
        assertThat(all).hasSize(60).hasSameSizeAs(new HashSet<>(all));
        for (JsonNode study : one.api().result(id).get("studies")) {
            assertThat(study.get("trials"))
                    .hasSize(20)
                    .allSatisfy(
                            trial -> assertThat(trial.get("attempts").asInt()).isEqualTo(1));
        }
        assertThat(leases("reported")).isEqualTo(60);
    }

    @Test
    void bothTakeBackWhatIsOverdueAndItCountsOnce() throws Exception {
        double before = expired(one) + expired(two);
        for (int i = 0; i < 5; i++) {
            one.api().submit("simulated:h200", "random", 8, "640x384x256");
        }
        assertThat(ScriptedWorker.simulated(one.api()).lease(40)).hasSize(40);
        Duration last = Duration.ofSeconds(1);
        one.silence(TTL.minus(last));
        two.silence(TTL.minus(last));
        one.clock().advance(last);
        two.clock().advance(last);
        List<Callable<Boolean>> sweeps = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            LeaseWatch watch = (i % 2 == 0 ? one : two).bean(LeaseWatch.class);
            sweeps.add(() -> {
                watch.look();
                return true;
            });
        }
        atOnce(sweeps);
        assertThat(leases("expired")).isEqualTo(40);
        assertThat(one.jdbc()
                        .sql("select count(*) from trial where state = 'queued' and attempts = 1 and fence = 1")
                        .query(Integer.class)
                        .single())
                .isEqualTo(40);
        assertThat(expired(one) + expired(two) - before).isEqualTo(40);
    }

    private static <T> List<T> atOnce(List<Callable<T>> tasks) throws Exception {
        List<T> results = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<T> task : threads.invokeAll(tasks)) {
                results.add(task.get());
            }
        }
        return results;
    }

    private int leases(String ending) {
        return one.jdbc()
                .sql("select count(*) from lease where ending = :ending")
                .param("ending", ending)
                .query(Integer.class)
                .single();
    }

    private static double expired(Service service) {
        return service.api()
                .get("/actuator/prometheus")
                .text()
                .lines()
                .filter(line -> line.startsWith("tilewright_leases_ended_total") && line.contains("ending=\"expired\""))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
                .sum();
    }

    @Test
    void serveRunsOnAnExternalDatabaseAndStopsCleanly() throws Exception {
        Path home = folder.resolve("home");
        ServeProcess serve =
                ServeProcess.start(home, Map.of("DATABASE_URL", url(IN_URL)), "--port", "0", "--no-worker");
        try {
            Path file = home.resolve("service.json");
            String url = serve.url();
            String id = one.api().submit("simulated:h200", "random", 1, "640x384x256");
            assertThat(new Api(url).job(id).get("state").asString()).isEqualTo("queued");
            serve.process().destroy();
            serve.process().waitFor();
            // Ended by SIGTERM.
            assertThat(serve.process().exitValue()).isEqualTo(143);
            assertThat(file).doesNotExist();
        } finally {
            serve.process().destroyForcibly();
        }
    }

    @Test
    void aWrongPasswordIsSaidInOneLine() throws Exception {
        assertRefused(url("guess"), "127.0.0.1:" + external.getPort() + "/postgres", "password authentication failed");
    }

    @Test
    void anUnreachableDatabaseIsSaidInOneLine() throws Exception {
        int port;
        try (ServerSocket socket = new ServerSocket(0)) {
            port = socket.getLocalPort();
        }
        assertRefused("postgres://me:guess@127.0.0.1:" + port + "/tw", "127.0.0.1:" + port + "/tw", "refused");
    }

    private static void assertRefused(String url, String... parts) throws Exception {
        Path home = Files.createTempDirectory(folder, "refused");
        ServeProcess serve = ServeProcess.start(home, Map.of("DATABASE_URL", url), "--port", "0", "--no-worker");
        serve.process().waitFor();
        assertThat(serve.process().exitValue()).isEqualTo(4);
        assertThat(serve.output())
                .hasLineCount(1)
                .startsWith("tilewright serve: cannot reach the database at ")
                .contains(parts)
                .doesNotContain("guess");
    }
}
