package dev.tilewright.api.retention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.api.check.CheckService;
import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.RunningService;
import dev.tilewright.api.testing.RunningService.Service;
import dev.tilewright.api.testing.ScriptedWorker;
import dev.tilewright.api.testing.Stored;
import dev.tilewright.model.exchange.KernelFiles;
import dev.tilewright.model.exchange.Lease;
import dev.tilewright.model.exchange.Report;
import dev.tilewright.model.exchange.TrialResult;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.space.Sha256;
import dev.tilewright.model.trial.Checked;
import dev.tilewright.model.trial.Compilation;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.model.trial.Verdict;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import tools.jackson.databind.JsonNode;

/** Things go at their age: raw evidence before results, and best configs never. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RetentionTest {

    private Service service;
    private Api api;

    @BeforeAll
    void start() {
        service = RunningService.start(Map.of(
                "db-scheduler.enabled", "false",
                "tilewright.retention.evidence", "10d",
                "tilewright.retention.finished", "100d",
                "tilewright.retention.failed", "20d",
                "tilewright.retention.cancelled", "5d",
                "tilewright.retention.comparisons", "30d",
                "tilewright.retention.checks", "50d"));
        api = service.api();
    }

    @AfterAll
    void stop() {
        service.close();
    }

    @BeforeEach
    void empty() {
        api.settle();
        service.jdbc()
                .sql("truncate job, gpu_task, worker, testbed, kernel_file, kernel_check cascade")
                .update();
    }

    private void daysLater(int days) {
        service.clock().advance(Duration.ofDays(days));
        service.bean(Retention.class).run();
    }

    private long count(String table) {
        return service.jdbc()
                .sql("select count(*) from " + table)
                .query(Long.class)
                .single();
    }

    private double deleted(String what) {
        return api.get("/actuator/prometheus")
                .text()
                .lines()
                .filter(line -> line.startsWith("tilewright_retention_deleted_total{")
                        && line.contains("what=\"" + what + "\""))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .sum();
    }

    /** A report with the files of a kernel that other trials may share. */
    private static Report.Screened withFiles(ScriptedWorker worker, Lease lease, String text) {
        Report.Screened report = worker.completed(lease, 1e6);
        TrialResult said = report.result();
        byte[] ptx = text.getBytes(StandardCharsets.UTF_8);
        byte[] cubin = ("cubin " + text).getBytes(StandardCharsets.UTF_8);
        byte[] launch = "{}".getBytes(StandardCharsets.UTF_8);
        return new Report.Screened(
                report.fence(),
                new TrialResult(
                        said.outcome(),
                        said.errorRatio(),
                        new Compilation(168, 0, 200_000, Sha256.hex(ptx), Sha256.hex(cubin)),
                        said.executed(),
                        said.measurements(),
                        said.evidence(),
                        said.checked(),
                        said.timesNs(),
                        said.log()),
                KernelFiles.packed(ptx, cubin, launch).orElseThrow());
    }

    private String job(String... texts) {
        String job = api.submit("simulated:h200", "random", texts.length, "640x384x256");
        ScriptedWorker worker = ScriptedWorker.simulated(api);
        for (String text : texts) {
            Lease lease = worker.leaseOne();
            worker.report(lease, withFiles(worker, lease, text)).taken();
        }
        assertThat(api.job(job).get("state").asString()).isEqualTo("finished");
        return job;
    }

    private @Nullable JsonNode study(String job) {
        return api.result(job).get("studies").get(0);
    }

    private int withTileTimes() {
        return service.jdbc()
                .sql("select count(tile_ns) from trial")
                .query(Integer.class)
                .single();
    }

    @Test
    void rawEvidenceGoesFirstAndResultsLater() {
        String job = job("a", "b");
        JsonNode before = study(job);
        daysLater(9);
        assertThat(study(job)).isEqualTo(before);

        double evidence = deleted("evidence");
        assertThat(withTileTimes()).isEqualTo(2);
        daysLater(2);
        assertThat(withTileTimes()).isZero();
        assertThat(deleted("evidence")).isEqualTo(evidence + 1);
        JsonNode after = study(job);
        assertThat(after.get("evidenceDeletedAt").isNull()).isFalse();
        assertThat(after.get("best")).isEqualTo(before.get("best"));
        assertThat(after.get("sweep")).isEqualTo(before.get("sweep"));
        for (int i = 0; i < 2; i++) {
            JsonNode trial = after.get("trials").get(i);
            assertThat(trial.get("measurements"))
                    .isEqualTo(before.get("trials").get(i).get("measurements"));
            assertThat(trial.get("ptxHash"))
                    .isEqualTo(before.get("trials").get(i).get("ptxHash"));
            assertThat(before.get("trials").get(i).get("tilesPerSm").isNull()).isFalse();
            assertThat(trial.get("tilesPerSm").isNull()).isTrue();
            assertThat(trial.get("timesNs").isNull()).isTrue();
            assertThat(api.get("/api/v1/trials/" + trial.get("id").asString() + "/ptx")
                            .problem(404)
                            .get("detail")
                            .asString())
                    .contains("deleted with the raw evidence of its study");
        }
        assertThat(count("kernel_file")).isZero();
        assertThat(count("lease")).as("the first one says when the sweep began").isEqualTo(1);
        // Who listens is told that it is over, and does not wait for ever.
        assertThat(api.get("/api/v1/jobs/" + job + "/events").text()).contains("event:job.finished");

        daysLater(88);
        assertThat(api.get("/api/v1/jobs/" + job).status()).isEqualTo(200);
        double jobs = deleted("jobs");
        daysLater(2);
        api.get("/api/v1/jobs/" + job).problem(404);
        assertThat(deleted("jobs")).isEqualTo(jobs + 1);
    }

    @Test
    void aKernelThatAnotherTrialStillHasStays() {
        String old = job("shared", "alone");
        assertThat(count("kernel_file")).as("two texts, two cubins, one launch").isEqualTo(5);
        service.clock().advance(Duration.ofDays(8));
        String young = job("shared");
        daysLater(3);
        assertThat(study(old).get("evidenceDeletedAt").isNull()).isFalse();
        assertThat(count("kernel_file")).isEqualTo(3);
        String trial = study(young).get("trials").get(0).get("id").asString();
        assertThat(api.get("/api/v1/trials/" + trial + "/ptx").text()).isEqualTo("shared");
    }

    /** Files and reports are two transactions: what was stored lately is not asked for a trial. */
    @Test
    void aFileThatIsStoredAgainIsYoungAgain() {
        ScriptedWorker worker = ScriptedWorker.simulated(api);
        job("again");
        service.jdbc().sql("delete from job").update();
        service.clock().advance(Duration.ofDays(2));
        api.submit("simulated:h200", "random", 2, "640x384x256");
        Lease lease = worker.leaseOne();
        worker.report(lease, withFiles(worker, lease, "again")).taken();
        service.jdbc()
                .sql("update trial set ptx_hash = null, cubin_hash = null")
                .update();
        daysLater(0);
        assertThat(count("kernel_file")).isEqualTo(3);
        daysLater(2);
        assertThat(count("kernel_file")).as("the launch is of the trial").isEqualTo(1);
    }

    @Test
    void bestConfigsKeepEverythingForEver() {
        new Stored(api, service).jobs(2, 3);
        service.jdbc()
                .sql("update job set finished_at = now() where finished_at is not null")
                .update();
        service.jdbc()
                .sql("update trial set evidence = '{\"tilesPerSm\":[1,2],\"firstStartNs\":[],\"lastEndNs\":[]}'")
                .update();
        JsonNode best = api.get("/api/v1/best").expect(200);
        assertThat(best.get("items")).hasSize(2);
        daysLater(4000);
        assertThat(api.get("/api/v1/best").expect(200)).isEqualTo(best);
        for (JsonNode item : best.get("items")) {
            JsonNode trial =
                    api.get("/api/v1/trials/" + item.get("trialId").asString()).expect(200);
            assertThat(trial.get("tilesPerSm")).hasSize(2);
        }
        // The same problem twice: the one that is no longer best goes.
        service.jdbc()
                .sql("update study set m = 3, problem = (select problem from study where m = 3) where m = 5")
                .update();
        String served = api.get("/api/v1/best")
                .expect(200)
                .get("items")
                .get(0)
                .get("jobId")
                .asString();
        daysLater(1);
        assertThat(service.jdbc()
                        .sql("select id::text from job where state = 'finished'")
                        .query(String.class)
                        .list())
                .containsExactly(served);
    }

    @Test
    void jobsGoByWhatTheyCameTo() {
        String finished = job("x");
        String failed = api.submit("cuda:7", "random", 1, "640x384x256");
        service.jdbc()
                .sql("update study set state = 'failed', error = 'no device', finished_at = :now where job_id ="
                        + " cast(:job as uuid)")
                .param("job", failed)
                .param("now", java.sql.Timestamp.from(service.clock().instant()))
                .update();
        service.jdbc()
                .sql("update job set state = 'failed', finished_at = :now where id = cast(:job as uuid)")
                .param("job", failed)
                .param("now", java.sql.Timestamp.from(service.clock().instant()))
                .update();
        String cancelled = api.submit("cuda:7", "random", 1, "640x384x256");
        api.post("/api/v1/jobs/" + cancelled + "/cancel", "").expect(200);
        String open = api.submit("cuda:7", "random", 1, "640x384x256");
        daysLater(6);
        assertThat(jobs()).containsExactlyInAnyOrder(finished, failed, open);
        daysLater(15);
        assertThat(jobs()).containsExactlyInAnyOrder(finished, open);
        daysLater(100);
        assertThat(jobs()).containsExactly(open);
    }

    private java.util.List<String> jobs() {
        return service.jdbc()
                .sql("select id::text from job")
                .query(String.class)
                .list();
    }

    @Test
    void comparisonsGoWhenTheyAreOverForLong() {
        String body = """
            {"problem":{"m":640,"n":384,"k":256},"device":"cuda",
            "first":{"peer":"cublaslt"},"second":{"peer":"cublaslt","algorithm":"1"}}\
            """;
        String over =
                api.post("/api/v1/comparisons", body).expect(202).get("id").asString();
        api.post("/api/v1/comparisons/" + over + "/cancel", "").expect(200);
        String checked = api.post("/api/v1/text-checks", "{\"ptx\":\".version 8.0\",\"launch\":\"grid: 1\"}")
                .expect(202)
                .get("id")
                .asString();
        api.post("/api/v1/text-checks/" + checked + "/cancel", "").expect(200);
        String open =
                api.post("/api/v1/comparisons", body).expect(202).get("id").asString();
        daysLater(31);
        api.get("/api/v1/text-checks/" + checked).problem(404);
        api.get("/api/v1/comparisons/" + over).problem(404);
        api.get("/api/v1/comparisons/" + open).expect(200);
    }

    @Test
    void checksGoWithTheirTextsAndThoseOfOldBuildsAtTheirAge() {
        String job = job("text");
        String emulator = "e".repeat(64);
        String newest = "f".repeat(64);
        checked(Sha256.hex("text".getBytes(StandardCharsets.UTF_8)), emulator);
        checked("a".repeat(64), emulator);
        service.clock().advance(Duration.ofDays(1));
        checked(Sha256.hex("text".getBytes(StandardCharsets.UTF_8)), newest);
        double before = deleted("checks");
        daysLater(1);
        assertThat(emulators()).as("of a text that no trial has").containsExactly(emulator, newest);
        assertThat(deleted("checks")).isEqualTo(before + 1);
        daysLater(47);
        assertThat(emulators()).containsExactly(emulator, newest);
        daysLater(2);
        assertThat(emulators()).as("of a build before the newest").containsExactly(newest);
        daysLater(52);
        api.get("/api/v1/jobs/" + job).problem(404);
        assertThat(emulators()).as("of a trial that was deleted").isEmpty();
    }

    /** Without an index, or as one join, each statement reads all trials: it ends at its limit and deletes nothing. */
    @Test
    void noStatementReadsAllTrials() {
        job("text");
        service.jdbc().sql("""
            insert into trial (id, study_id, ordinal, family, config, config_hash, state, outcome, ptx_hash, cubin_hash,
                created_at, finished_at, finish_seq)
            select gen_random_uuid(), study_id, 10 + i, family, config, lpad(to_hex(i), 64, '0'), state, outcome,
                lpad(to_hex(2 * i), 64, '0'), lpad(to_hex(2 * i + 1), 64, '0'), created_at, finished_at,
                nextval('trial_finish')
            from trial, generate_series(1, 5000) i limit 5000\
            """).update();
        service.jdbc().sql("""
            insert into kernel_file (hash, bytes, gzip, created_at)
            select lpad(to_hex(i), 64, '0'), 0, '', timestamptz '2020-01-01' from generate_series(1, 12000) i
            on conflict do nothing\
            """).update();
        service.jdbc().sql("analyze trial; analyze kernel_file; analyze study").update();
        String files = plan(RetentionRepository.UNUSED_FILES);
        assertThat(files).contains("using trial_of_ptx", "using trial_of_cubin").doesNotContain("Seq Scan on trial t");
        assertThat(plan(RetentionRepository.UNUSED_CHECKS))
                .contains("trial_of_ptx")
                .doesNotContain("Seq Scan on trial t");
        double before = deleted("files");
        daysLater(2);
        assertThat(deleted("files") - before)
                .as("those that no trial has, of seven chunks")
                .isEqualTo(12_000 - 10_000);
    }

    private String plan(String statement) {
        return String.join(
                "\n",
                service.jdbc()
                        .sql("explain " + statement)
                        .param("before", java.sql.Timestamp.from(service.clock().instant()))
                        .param("after", "")
                        .query(String.class)
                        .list());
    }

    private void checked(String text, String emulator) {
        service.bean(CheckService.class)
                .keep(
                        text,
                        UUID.randomUUID(),
                        new Checked(
                                Verdict.PROVED,
                                TrialOutcome.COMPLETED,
                                new ProblemShape(640, 384, 256),
                                new ProblemShape(320, 192, 256),
                                4,
                                1,
                                2,
                                1000,
                                0.1,
                                emulator,
                                false,
                                ""));
    }

    private List<String> emulators() {
        return service.jdbc()
                .sql("select emulator from kernel_check order by emulator")
                .query(String.class)
                .list();
    }

    @Test
    void agesThatMakeNoSenseAreRefusedAtTheStart() {
        assertThatThrownBy(() -> new RetentionSettings(Duration.ofDays(9), Duration.ofDays(8), null, null, null, null))
                .hasMessage("tilewright.retention.evidence (PT216H) must be at most tilewright.retention.finished"
                        + " (PT192H): raw evidence goes before results");
        assertThatThrownBy(() -> new RetentionSettings(null, null, null, Duration.ofHours(1), null, null))
                .hasMessage("tilewright.retention.cancelled must be at least 1 day, got PT1H");
    }
}
