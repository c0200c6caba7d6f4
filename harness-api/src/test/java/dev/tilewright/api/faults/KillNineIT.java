package dev.tilewright.api.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.util.FileSystemUtils;
import tools.jackson.databind.JsonNode;

/** Every process of an installation is killed in the middle of a sweep; nothing is lost and nothing is done twice. */
class KillNineIT {

    private static final int TRIALS = 150;

    private Installation installation = new Installation(Path.of("nowhere"), Path.of("nowhere"));
    private String job = "";

    @BeforeEach
    void place() throws IOException {
        installation = Installation.placed("kill-nine");
    }

    @AfterEach
    void leaveNothingBehind() {
        installation.destroy();
    }

    @Test
    @Timeout(value = 40, unit = TimeUnit.MINUTES)
    void aSweepSurvivesTheDeathOfEveryProcess() throws Exception {
        Process first = installation.serve();
        installation.await("the service", installation::api);
        job = installation.post("/api/v1/jobs", """
                        {"problems":[{"m":1000,"n":1512,"k":704}],"budget":{"trials":%d},"seed":7,"device":"simulated:h200"}""".formatted(TRIALS)).get("id").asString();

        killInTheMiddle("runner", installation::runner);
        killInTheMiddle("worker", installation::worker);
        killInTheMiddle("Postgres", installation::postmaster);
        ProcessHandle killed = killed("API", installation::api);
        long started = System.nanoTime();
        first.waitFor();
        Process second = installation.serve();
        goesOn("API", installation::api, killed, started);

        installation.await("the end of the job", () -> Optional.of(state()).filter("finished"::equals));
        checkResult(installation.get("/api/v1/jobs/" + job + "/result"));
        checkRecord();
        stopCleanly(second);
        FileSystemUtils.deleteRecursively(installation.home());
    }

    private void killInTheMiddle(String what, Installation.Question<ProcessHandle> victim) throws Exception {
        ProcessHandle killed = killed(what, victim);
        goesOn(what, victim, killed, System.nanoTime());
    }

    /** Waits until the sweep runs, then kills. */
    private ProcessHandle killed(String what, Installation.Question<ProcessHandle> victim) throws Exception {
        int before = installation.await("a count", this::finished);
        installation.await("the sweep to run", () -> finished().filter(count -> count > before + 1));
        ProcessHandle process = installation.await("the process of the " + what, victim);
        int count = installation.await("a count", this::finished);
        assertThat(count).as("trials finished when the %s is killed", what).isLessThan(TRIALS - 20);
        assertThat(process.destroyForcibly()).as("killing the %s", what).isTrue();
        return process;
    }

    /** Another process takes over, and then more trials are finished than before. */
    private void goesOn(String what, Installation.Question<ProcessHandle> victim, ProcessHandle killed, long started)
            throws Exception {
        ProcessHandle next = installation.await(
                "another " + what,
                () -> victim.ask().filter(process -> process.pid() != killed.pid() && process.isAlive()));
        int count = installation.await("a count after the death of the " + what, this::finished);
        installation.await(
                "more trials after the death of the " + what, () -> finished().filter(now -> now > count));
        System.out.printf(
                "kill -9 of the %s (%d): %d is there and trials go on after %.1f s, at %d of %d%n",
                what, killed.pid(), next.pid(), (System.nanoTime() - started) / 1e9, count, TRIALS);
    }

    private Optional<Integer> finished() throws IOException, InterruptedException {
        return Optional.of(installation
                .get("/api/v1/jobs/" + job)
                .get("studies")
                .get(0)
                .get("trials")
                .get("finished")
                .asInt());
    }

    private String state() throws IOException, InterruptedException {
        return installation.get("/api/v1/jobs/" + job).get("state").asString();
    }

    private static void checkResult(JsonNode result) {
        JsonNode study = result.get("studies").get(0);
        assertThat(study.get("error").isNull())
                .as(study.get("error").toString())
                .isTrue();
        List<JsonNode> trials = study.get("trials").valueStream().toList();
        assertThat(trials).hasSize(TRIALS);
        assertThat(trials).extracting(trial -> trial.get("id").asString()).doesNotHaveDuplicates();
        assertThat(trials).extracting(trial -> trial.get("config").toString()).doesNotHaveDuplicates();
        assertThat(trials)
                .extracting(trial -> trial.get("ordinal").asInt())
                .containsExactlyElementsOf(IntStream.range(0, TRIALS).boxed().toList());
        // What the config decides, whoever is killed meanwhile: very few drawn ones are spilled by the assembler.
        assertThat(trials).extracting(trial -> trial.get("outcome").asString()).isSubsetOf("completed", "spill");
        assertThat(completed(trials)).hasSizeGreaterThan(TRIALS * 98 / 100).allSatisfy(trial -> {
            assertThat(trial.get("measurements"))
                    .extracting(measurement -> measurement.get("mode") + " " + measurement.get("stage"))
                    .isNotEmpty()
                    .doesNotHaveDuplicates();
        });
        assertThat(study.get("sweep").get("configs").asInt())
                .as("configs that ran")
                .isEqualTo(completed(trials).size());
    }

    private static List<JsonNode> completed(List<JsonNode> trials) {
        return trials.stream()
                .filter(trial -> trial.get("outcome").asString().equals("completed"))
                .toList();
    }

    /** What the database knows of attempts, beside what the result says. */
    private void checkRecord() throws Exception {
        assertThat(rows("""
                select t.ordinal, t.attempts, count(l.lease_id) filter (where l.ending in ('reported', 'expired'))
                from v_trial t left join v_attempt l on l.trial_id = t.trial_id
                group by t.trial_id, t.ordinal, t.attempts
                having t.attempts <> count(l.lease_id) filter (where l.ending in ('reported', 'expired'))""")).as("trials whose attempts are not their leases").isEmpty();
        assertThat(rows("""
                select t.ordinal, count(l.lease_id) from v_trial t
                left join v_attempt l on l.trial_id = t.trial_id and l.ending = 'reported'
                group by t.trial_id, t.ordinal having count(l.lease_id) <> 1""")).as("trials without exactly one report").isEmpty();
        assertThat(rows("select lease_id from v_attempt where ending is null"))
                .as("live leases")
                .isEmpty();
        assertThat(rows("""
                select trial_id, mode, stage, count(*) from v_measurement group by trial_id, mode, stage
                having count(*) <> 1""")).as("measurements that are there twice").isEmpty();
        assertThat(rows("select count(*), count(distinct data ->> 'trialId') from event where type = 'trial.finished'"))
                .as("events")
                .containsExactly(TRIALS + " " + TRIALS);
        // A worker that dies holds leases: some trial was tried twice, and its resource shows both.
        List<String> again = rows("select trial_id from v_trial where attempts > 1 order by ordinal");
        assertThat(again).as("trials that lost a worker").isNotEmpty();
        JsonNode trial = installation.get("/api/v1/trials/" + again.getFirst());
        List<JsonNode> leases = trial.get("leases").valueStream().toList();
        assertThat(leases).hasSize(trial.get("attempts").asInt());
        assertThat(leases.getFirst().get("ending").asString()).isEqualTo("expired");
        assertThat(leases.getLast().get("ending").asString()).isEqualTo("reported");
        System.out.printf("%d of %d trials lost a worker and were tried again%n", again.size(), TRIALS);
    }

    private List<String> rows(String sql) throws IOException, SQLException {
        List<String> rows = new ArrayList<>();
        try (Connection connection = installation.database();
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery(sql)) {
            int columns = result.getMetaData().getColumnCount();
            while (result.next()) {
                List<String> row = new ArrayList<>();
                for (int column = 1; column <= columns; column++) {
                    row.add(result.getString(column));
                }
                rows.add(String.join(" ", row));
            }
        }
        return rows;
    }

    private void stopCleanly(Process serve) throws Exception {
        assertThat(installation.processes()).hasSizeGreaterThanOrEqualTo(4);
        serve.destroy();
        serve.waitFor();
        installation.await("the end of every process", () -> {
            List<ProcessHandle> left = installation.processes().toList();
            if (!left.isEmpty()) {
                throw new IOException("still there: "
                        + left.stream()
                                .map(process -> process.pid() + " " + process.info())
                                .toList());
            }
            return Optional.of(left);
        });
        assertThat(installation.serviceFile()).doesNotExist();
    }
}
