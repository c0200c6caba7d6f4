package dev.tilewright.api.trial;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.platform.database.Pools;
import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.RunningService;
import dev.tilewright.api.testing.RunningService.Service;
import dev.tilewright.api.testing.ScriptedWorker;
import dev.tilewright.model.exchange.FinalResult;
import dev.tilewright.model.exchange.Lease;
import dev.tilewright.model.exchange.Report;
import dev.tilewright.model.exchange.ReportBatch;
import dev.tilewright.model.exchange.TrialCounts;
import dev.tilewright.model.exchange.Work;
import dev.tilewright.model.trial.Mode;
import dev.tilewright.model.trial.Stage;
import dev.tilewright.model.trial.TrialOutcome;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.core.io.ClassPathResource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.JsonNode;

/** What is kept of a study is what counting it gives, whatever happened: the migration counts what was there before. */
@ExtendWith(RunningService.class)
class TallyTest {

    private static final int STEPS = 150;
    private static final int STEPS_BETWEEN_COUNTS = 10;
    private static final List<String> KEPT =
            List.of("study_tally", "study_queue", "sweep", "sweep_device", "sweep_wait");

    /** Times of which some are the same. */
    private static final int TIMES = 12;

    /** One drawn history. */
    private static final class Story {

        private final Api api;
        private final Service service;
        private final RandomGenerator random;
        private final List<ScriptedWorker> workers = new ArrayList<>();
        private final List<Held> held = new ArrayList<>();
        private final List<String> jobs = new ArrayList<>();

        private record Held(ScriptedWorker worker, Lease lease) {}

        Story(Api api, Service service, long seed) {
            this.api = api;
            this.service = service;
            this.random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
            submit();
        }

        void step() {
            switch (random.nextInt(14)) {
                case 0 -> submit();
                case 1, 2, 3, 4, 5 -> lease();
                case 6, 7, 8, 9 -> report();
                case 10 -> {
                    service.clock().advance(Duration.ofMillis(1 + random.nextInt(900)));
                    report();
                }
                case 11 -> lose();
                case 12 -> cutOff();
                default -> cancel();
            }
        }

        private void submit() {
            boolean real = random.nextBoolean();
            jobs.add(api.submit(
                    real ? "cuda" : "simulated:h200",
                    random.nextBoolean() ? "random" : "exhaustive",
                    2 + random.nextInt(20),
                    "640x384x256",
                    "128x256x512"));
            workers.add(real ? ScriptedWorker.cuda(api, random.nextInt(2)) : ScriptedWorker.simulated(api));
        }

        private void lease() {
            ScriptedWorker worker = workers.get(random.nextInt(workers.size()));
            worker.register();
            int most = 1 + random.nextInt(6);
            (random.nextInt(4) == 0 ? worker.leaseUnheard(most) : worker.lease(most))
                    .forEach(lease -> held.add(new Held(worker, lease)));
        }

        /** Some of what a worker holds, also what it has lost or reported before. */
        private void report() {
            if (held.isEmpty()) {
                return;
            }
            Collections.shuffle(held, Random.from(random));
            List<Held> some = held.subList(0, 1 + random.nextInt(held.size()));
            some.getFirst()
                    .worker()
                    .report(some.stream()
                            .map(each ->
                                    new ReportBatch.LeaseReport(each.lease().leaseId(), of(each)))
                            .toList());
            if (random.nextInt(4) > 0) {
                some.clear();
            }
        }

        private Report of(Held held) {
            Lease lease = held.lease();
            if (random.nextInt(10) == 0) {
                return new Report.Refused(lease.fence(), "out of order");
            }
            if (lease.work() instanceof Work.Final last) {
                return raced(lease, last);
            }
            return random.nextInt(4) == 0
                    ? ScriptedWorker.failed(lease, random.nextBoolean() ? TrialOutcome.CRASH : TrialOutcome.SPILL, "no")
                    : held.worker().completed(lease, 1000 + random.nextInt(TIMES));
        }

        private Report.Finished raced(Lease lease, Work.Final last) {
            return new Report.Finished(
                    lease.fence(),
                    new FinalResult(
                            last.contenders().stream()
                                    .map(contender -> arm(lease, contender))
                                    .toList(),
                            List.of(),
                            List.of(),
                            List.of(),
                            ""));
        }

        private Report.Arm arm(Lease lease, Work.Contender contender) {
            boolean wrong = random.nextInt(5) == 0;
            return new Report.Arm(
                    contender.trialId().toString(),
                    contender.trialId(),
                    "toy",
                    contender.config(),
                    wrong ? TrialOutcome.MISMATCH : TrialOutcome.COMPLETED,
                    wrong ? 7.0 : 0.5,
                    List.of(ScriptedWorker.measurement(
                            lease,
                            Mode.SUSTAINED,
                            random.nextBoolean() ? Stage.FINAL : Stage.CONTEND,
                            900 + random.nextInt(TIMES),
                            true)),
                    "");
        }

        /** Workers are not heard of: what they hold is taken back. */
        private void lose() {
            service.silence(Duration.ofSeconds(16));
            api.settle();
        }

        /** Every connection to the database is cut while reports are taken. */
        private void cutOff() {
            CompletableFuture<Void> reports = CompletableFuture.runAsync(() -> {
                try {
                    report();
                } catch (AssertionError unanswered) {
                    // The worker is told nothing, and would send them again.
                }
            });
            do {
                service.jdbc().sql("""
                        select count(pg_terminate_backend(pid)) from pg_stat_activity
                        where pid <> pg_backend_pid() and datname = current_database()""").query(Long.class).single();
            } while (!reports.isDone());
            reports.join();
            // Those that are idle are cut off, and nobody has noticed yet.
            service.bean(Pools.class).renew();
            api.settle();
        }

        private void cancel() {
            if (random.nextInt(4) == 0) {
                api.post("/api/v1/jobs/" + jobs.get(random.nextInt(jobs.size())) + "/cancel", "")
                        .expect(200);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {20261, 20262})
    void whatIsKeptIsWhatIsCounted(long seed, Api api, Service service) throws IOException {
        Story story = new Story(api, service, seed);
        for (int i = 1; i <= STEPS; i++) {
            story.step();
            if (i % STEPS_BETWEEN_COUNTS == 0) {
                assertThat(kept(service.jdbc())).as("seed %d, step %d", seed, i).isEqualTo(counted(service));
                assertThatQueuesAreCounted(service);
                assertThatHistoriesAreRead(service);
            }
        }
        assertThat(service.jdbc()
                        .sql("select sum(completed) from study_tally")
                        .query(Integer.class)
                        .single())
                .as("something happened")
                .isGreaterThan(5);
        story.jobs.forEach(job -> assertThatTheDocumentsAgree(api, job));
    }

    private static Map<String, Object> kept(JdbcClient jdbc) {
        Map<String, Object> rows = new TreeMap<>();
        KEPT.forEach(table -> rows.put(
                table,
                jdbc.sql("select r::text from " + table + " r order by 1")
                        .query(String.class)
                        .list()));
        return rows;
    }

    /** The tables as the migrations count them anew from the trials, in a transaction that leaves nothing behind. */
    private static Map<String, Object> counted(Service service) throws IOException {
        String tally = migration("V014__tally.sql");
        String firstOfEquals = migration("V047__first_of_equals.sql");
        Map<String, Object> counted = service.bean(TransactionTemplate.class).execute(status -> {
            service.jdbc()
                    .sql(
                            "drop table " + String.join(", ", KEPT)
                                    + "; drop index lease_by_grant, lease_of_final, study_on_testbed,"
                                    + " study_open_of_job, event_last, study_finals; create index lease_study_id_idx on lease (study_id)")
                    .update();
            // A column that studies had then.
            service.jdbc().sql("""
                    alter table study add column selector text;
                    update study s set selector = j.options ->> 'device' from job j where j.id = s.job_id""").update();
            service.jdbc().sql(tally).update();
            service.jdbc().sql(firstOfEquals).update();
            status.setRollbackOnly();
            return kept(service.jdbc());
        });
        return Objects.requireNonNull(counted);
    }

    private static String migration(String name) throws IOException {
        return new ClassPathResource("db/migration/" + name).getContentAsString(StandardCharsets.UTF_8);
    }

    private static void assertThatQueuesAreCounted(Service service) {
        TallyRepository tallies = service.bean(TallyRepository.class);
        for (UUID study :
                service.jdbc().sql("select id from study").query(UUID.class).list()) {
            TrialCounts counts = tallies.counts(study);
            assertThat(List.of(counts.queued(), counts.leased()))
                    .isEqualTo(service.jdbc()
                            .sql("""
                                    select count(*) filter (where state = 'queued') as queued,
                                        count(*) filter (where state = 'leased') as leased
                                    from trial where study_id = :study""")
                            .param("study", study)
                            .query((row, number) -> List.of(row.getInt("queued"), row.getInt("leased")))
                            .single());
        }
    }

    /** What the search is told is what is there, although most of it was read before. */
    private static void assertThatHistoriesAreRead(Service service) {
        TrialRepository trials = service.bean(TrialRepository.class);
        for (UUID study : service.jdbc()
                .sql("select id from study where state = 'running'")
                .query(UUID.class)
                .list()) {
            assertThat(trials.history(study).stream()
                            .map(seen -> seen.config().hash() + " " + seen.outcome() + " "
                                    + (seen.screen() == null
                                            ? null
                                            : seen.screen().medianNs()))
                            .toList())
                    .isEqualTo(service.jdbc()
                            .sql("""
                                    select t.config_hash, t.outcome, m.median_ns
                                    from trial t left join measurement m on m.trial_id = t.id and m.stage = 'screen'
                                    where t.study_id = :study and (t.outcome is distinct from 'pruned' or t.attempts > 0)
                                    order by t.ordinal""")
                            .param("study", study)
                            .query((row, number) -> row.getString("config_hash") + " " + row.getString("outcome") + " "
                                    + row.getObject("median_ns", Double.class))
                            .list());
        }
    }

    /** The best of a simulated study is that of all its trials. */
    private static void assertThatTheDocumentsAgree(Api api, String job) {
        for (JsonNode study : api.result(job).get("studies")) {
            if (study.at("/testbed/kind").asString().equals("simulated")) {
                double[] fastest = study.get("trials")
                        .valueStream()
                        .filter(trial -> trial.get("outcome").asString().equals("completed"))
                        .mapToDouble(trial ->
                                trial.get("measurements").get(0).get("medianNs").asDouble())
                        .sorted()
                        .limit(1)
                        .toArray();
                assertThat(study.at("/best/medianNs").asDouble()).isEqualTo(fastest.length == 0 ? 0 : fastest[0]);
            }
        }
    }
}
