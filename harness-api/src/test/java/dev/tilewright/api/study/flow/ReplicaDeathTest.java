package dev.tilewright.api.study.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.platform.database.EmbeddedDatabase;
import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.Awaiting;
import dev.tilewright.api.testing.RunningService;
import dev.tilewright.api.testing.RunningService.Service;
import dev.tilewright.api.testing.ScriptedWorker;
import dev.tilewright.api.testing.ServeProcess;
import dev.tilewright.model.exchange.Lease;
import dev.tilewright.model.exchange.Work;
import dev.tilewright.model.space.Config;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;

/**
 * Two replicas of the service on one Postgres: the one that drives a study, a process, is killed, and the study goes on
 * by the other. That one is in the JVM of the tests, where a service starts faster.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ReplicaDeathTest {

    private static final int TRIALS = 32;

    /** A claim lives for eight seconds; what comes after that takes a hundredth of the rest. */
    private static final Duration GOES_ON = Duration.ofSeconds(15);

    private static final Pattern DRIVES_AS = Pattern.compile("drives studies as ([0-9a-f-]{36})");

    /** When a replica is killed; the first two take a JVM that has just begun a second or more. */
    enum Moment {
        WHILE_THE_SPACE_IS_BUILT("state = 'queued'", 0),
        AT_THE_FIRST_QUESTION("state = 'running'", 0),
        AFTER_SOME_TRIALS("state = 'running'", 12);

        private final String condition;
        private final int trials;

        Moment(String condition, int trials) {
            this.condition = condition;
            this.trials = trials;
        }
    }

    /** A replica that is to die, with the id under which it drives. */
    private record Victim(ServeProcess serve, Api api, UUID driver) {

        static Victim of(ServeProcess serve) throws IOException {
            Api api = new Api(serve.url());
            Matcher drives = DRIVES_AS.matcher(serve.output());
            assertThat(drives.find()).as(serve.output()).isTrue();
            return new Victim(serve, api, UUID.fromString(drives.group(1)));
        }
    }

    @TempDir
    static Path folder;

    private final List<ServeProcess> started = new ArrayList<>();
    private Service service;
    private Api survivor;
    private JdbcClient database;

    @BeforeAll
    void start() {
        service = RunningService.start(Map.of());
        survivor = new Api(service.api().uri("").toString());
        database = service.jdbc();
    }

    @AfterAll
    void stop() {
        started.forEach(serve -> serve.process().destroyForcibly());
        service.close();
    }

    private Victim victim(String name) throws IOException {
        EmbeddedDatabase postgres = service.bean(EmbeddedDatabase.class);
        String url = postgres.jdbcUrl()
                .replaceFirst(
                        "jdbc:postgresql://", "postgres://%s:%s@".formatted(postgres.user(), postgres.password()));
        Map<String, String> environment =
                Map.of("DATABASE_URL", url, "TILEWRIGHT_WORKER_TOKEN", RunningService.WORKER_TOKEN);
        ServeProcess serve = ServeProcess.start(folder.resolve(name), environment, "--port", "0", "--no-worker");
        started.add(serve);
        return Victim.of(serve);
    }

    private boolean drives(Victim victim, String condition) {
        return driven("driven_by = :victim and " + condition, victim);
    }

    private boolean survivorDrives(Victim victim) {
        return driven("driven_by <> :victim", victim);
    }

    private boolean driven(String condition, Victim victim) {
        return database.sql("select exists (select from study where driven_until >= now() and " + condition + ")")
                .param("victim", victim.driver())
                .query(Boolean.class)
                .single();
    }

    private int trials() {
        return database.sql("select count(*) from trial").query(Integer.class).single();
    }

    @Test
    void theStudyOfAReplicaKilledWhileTheSpaceIsBuiltGoesOn() throws Exception {
        theStudyOfAKilledReplicaGoesOn(Moment.WHILE_THE_SPACE_IS_BUILT);
    }

    @Test
    void theStudyOfAReplicaKilledAtTheFirstQuestionGoesOn() throws Exception {
        theStudyOfAKilledReplicaGoesOn(Moment.AT_THE_FIRST_QUESTION);
    }

    @Test
    void theStudyOfAReplicaKilledAfterSomeTrialsGoesOn() throws Exception {
        theStudyOfAKilledReplicaGoesOn(Moment.AFTER_SOME_TRIALS);
    }

    private void theStudyOfAKilledReplicaGoesOn(Moment moment) throws Exception {
        database.sql("truncate job, worker, testbed cascade").update();
        Victim victim = victim(moment.name());
        ScriptedWorker there = ScriptedWorker.simulated(victim.api());
        ScriptedWorker here = there.at(survivor);
        String job = submit(survivor);
        Set<Config> done = new HashSet<>();
        Awaiting.until(() -> {
            if (done.size() < moment.trials) {
                work(there, there.leaseNow(4), done);
            }
            return done.size() >= moment.trials;
        });
        // Leases that are out when it dies, and the question that they make it ask.
        List<Lease> held = new ArrayList<>(there.leaseNow(4));
        Awaiting.until(() -> {
            boolean drives = drives(victim, moment.condition);
            if (!drives) {
                held.addAll(there.leaseNow(4));
            }
            return drives;
        });
        victim.serve().process().destroyForcibly().waitFor();
        long killed = System.nanoTime();
        boolean thinking = drives(victim, moment.condition);
        int known = trials();

        work(here, held, done);
        Awaiting.until(() -> {
            work(here, here.leaseNow(4), done);
            return survivorDrives(victim) || trials() > known;
        });
        Duration taken = Duration.ofNanos(System.nanoTime() - killed);
        Awaiting.until(() -> {
            work(here, here.leaseNow(4), done);
            return trials() > known;
        });
        Duration goesOn = Duration.ofNanos(System.nanoTime() - killed);
        System.out.printf(
                "kill -9 of the replica that drives %s%s: driven again after %.1f s, more trials after %.1f s%n",
                moment, thinking ? ", while it thinks" : "", taken.toMillis() / 1e3, goesOn.toMillis() / 1e3);
        assertThat(taken).isLessThan(GOES_ON);

        Awaiting.until(() -> {
            work(here, here.leaseNow(4), done);
            return survivor.job(job).get("state").asString().equals("finished");
        });
        JsonNode study = survivor.result(job).get("studies").get(0);
        assertThat(study.get("error").isNull()).isTrue();
        assertThat(done).hasSize(TRIALS);
        assertThat(study.get("trials"))
                .hasSize(TRIALS)
                .allSatisfy(trial -> {
                    assertThat(trial.get("outcome").asString()).isEqualTo("completed");
                    assertThat(trial.get("attempts").asInt()).isEqualTo(1);
                })
                .extracting(trial -> trial.get("config").toString())
                .doesNotHaveDuplicates();
    }

    private static String submit(Api api) {
        return api.post("/api/v1/jobs", """
                        {"problems":[{"m":4096,"n":1000,"k":2048}],"strategy":"model","budget":{"trials":%d,"finalists":0},
                         "device":"simulated:h200"}""".formatted(TRIALS))
                .expect(202)
                .get("id")
                .asString();
    }

    private static void work(ScriptedWorker worker, List<Lease> leases, Set<Config> done) {
        for (Lease lease : leases) {
            assertThat(done.add(((Work.Screen) lease.work()).config()))
                    .as("asked once")
                    .isTrue();
            worker.complete(lease, 100_000 + done.size());
        }
    }
}
