package dev.tilewright.api.gate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.Awaiting;
import dev.tilewright.api.testing.RunningService;
import dev.tilewright.api.testing.ScriptedWorker;
import dev.tilewright.api.testing.ServeProcess;
import dev.tilewright.model.exchange.GpuTaskResult.Compared;
import dev.tilewright.model.exchange.Lease;
import dev.tilewright.model.exchange.Report;
import dev.tilewright.model.exchange.Work;
import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.space.Config;
import dev.tilewright.space.SpaceTree;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.space.families.Families;
import dev.tilewright.space.family.FamilySpace;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/**
 * Services as processes, killed in the middle of a run of a gate. What the GPU answers depends on the seed of a task
 * alone, so the verdict and every block must be those of a run that nobody disturbed.
 */
class GateDeathTest {

    private static final String FAMILY = "sm90-gemm";
    private static final Problem PROBLEM = Problem.of(new ProblemShape(640, 384, 256), DataType.BF16);
    private static final int CASES = 3;
    /** Three cases, two sentinels, and one case that is confirmed. */
    private static final int TASKS = CASES + 2 + 1;

    @TempDir
    private Path folder;

    private final List<ServeProcess> started = new ArrayList<>();
    private Optional<EmbeddedPostgres> postgres = Optional.empty();

    @AfterEach
    void stop() throws IOException {
        started.forEach(serve -> serve.process().destroyForcibly());
        if (postgres.isPresent()) {
            postgres.get().close();
        }
    }

    private ServeProcess serve(String name, Map<String, String> more) throws IOException {
        Map<String, String> environment = new HashMap<>(more);
        environment.put("TILEWRIGHT_WORKER_TOKEN", RunningService.WORKER_TOKEN);
        ServeProcess serve = ServeProcess.start(folder.resolve(name), environment, "--port", "0", "--no-worker");
        started.add(serve);
        return serve;
    }

    private Map<String, String> ownPostgres() throws IOException {
        postgres = Optional.of(EmbeddedPostgres.start());
        return Map.of(
                "DATABASE_URL",
                "postgres://postgres@127.0.0.1:" + postgres.get().getPort() + "/postgres");
    }

    /** The answers of a GPU on which the last case is slower; a task is answered alike, whoever asks it again. */
    private static Compared answer(Lease lease) {
        var task = GateScript.task(lease);
        return task.measureEqual() || !isOfLastCase(task.seed())
                ? GateAnswers.asAsked(task)
                : GateAnswers.slower(task, 3);
    }

    private static boolean isOfLastCase(long seed) {
        return (seed - 7) / 2 == CASES - 1;
    }

    /** Leases one task, if there is one, and answers it; false if the service did not take part. */
    private static boolean work(ScriptedWorker gpu) {
        List<Lease> leases = gpu.leaseNow(1);
        leases.forEach(lease ->
                gpu.report(lease, new Report.Ran(lease.fence(), answer(lease))).taken());
        return !leases.isEmpty();
    }

    private static boolean isOver(JsonNode run) {
        return !List.of("queued", "running").contains(run.get("state").asString());
    }

    private static String submit(Api api, String more) {
        List<Config> configs = configs();
        String candidate = kernel(api, configs.get(0));
        String baseline = "{\"kernel\":" + kernel(api, configs.get(1)) + "}";
        List<String> cases = new ArrayList<>();
        for (int i = 0; i < CASES; i++) {
            cases.add(GateScript.gateCase("case " + i, candidate, baseline));
        }
        return api.post(GateScript.GATE + "/runs", GateScript.body(more, cases.toArray(String[]::new)))
                .expect(202)
                .get("id")
                .asString();
    }

    /** The candidate, and the baseline. */
    private static List<Config> configs() {
        FamilySpace family = Families.standard().named(FAMILY);
        return SpaceTree.of(family.space(PROBLEM, DeviceLimits.of(132)))
                .configs()
                .limit(2)
                .toList();
    }

    private static String kernel(Api api, Config config) {
        return "{\"family\":\"" + FAMILY + "\",\"config\":" + api.mapper().writeValueAsString(config) + "}";
    }

    /** The run, its stages and their blocks are those that the answers make. */
    private static void assertUndisturbed(Api api, String id) {
        JsonNode run = api.get("/api/v1/gate-runs/" + id).expect(200);
        assertThat(run.get("verdict").asString()).as(run.toPrettyString()).isEqualTo("fail");
        assertThat(run.get("cases")
                        .valueStream()
                        .map(each -> each.get("verdict").asString()))
                .containsExactly("pass", "pass", "fail");
        JsonNode stages =
                api.get("/api/v1/gate-runs/" + id + "/blocks").expect(200).get("stages");
        assertThat(stages).hasSize(TASKS).allSatisfy(stage -> {
            List<Integer> indices = stage.get("blocks")
                    .get("index")
                    .valueStream()
                    .map(JsonNode::asInt)
                    .toList();
            assertThat(indices).hasSize(40).doesNotHaveDuplicates();
        });
        assertThat(stages.valueStream().map(stage -> stage.get("case").asString() + stage.get("number")))
                .doesNotHaveDuplicates();
        assertThat(stages.valueStream()
                        .map(stage ->
                                stage.get("blocks").get("candidateNs").get(0).asDouble())
                        .distinct())
                .as("each stage has blocks of its own")
                .hasSize(TASKS);
    }

    /** Asks again for as long as the service, or its database, is away. */
    private static <T> T again(Supplier<T> request) {
        List<T> answer = new ArrayList<>();
        Awaiting.until(() -> {
            try {
                answer.add(request.get());
                return true;
            } catch (AssertionError | UncheckedIOException away) {
                return false;
            }
        });
        return answer.getFirst();
    }

    private static void until(BooleanSupplier condition) {
        Awaiting.until(() -> again(condition::getAsBoolean));
    }

    /** After so many answers; the next task is held when the replica dies, which drives the run like the other. */
    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void aRunOfAKilledReplicaGoesOn(int answers) throws Exception {
        Map<String, String> database = ownPostgres();
        Api survivor = new Api(serve("survivor", database).url());
        ServeProcess victim = serve("victim", database);
        Api other = new Api(victim.url());
        String id = submit(other, "");
        ScriptedWorker there = ScriptedWorker.cuda(other, 0);
        int[] done = {0};
        Awaiting.until(() -> {
            done[0] += done[0] < answers && work(there) ? 1 : 0;
            return done[0] == answers;
        });
        List<Lease> held = new ArrayList<>();
        Awaiting.until(() -> {
            held.addAll(there.leaseNow(1));
            return !held.isEmpty();
        });
        victim.process().destroyForcibly().waitFor();

        ScriptedWorker here = there.at(survivor);
        held.forEach(lease -> {
            Report report = new Report.Ran(lease.fence(), answer(lease));
            here.report(lease, report).taken();
            here.report(lease, report).taken();
        });
        Awaiting.until(() -> {
            work(here);
            return isOver(survivor.get("/api/v1/gate-runs/" + id).expect(200));
        });
        assertUndisturbed(survivor, id);
    }

    /** The replica dies when some configs of the job are timed. */
    @Test
    void aCaseIsTunedAgainByAnotherReplica() throws Exception {
        Map<String, String> database = ownPostgres();
        Api survivor = new Api(serve("survivor", database).url());
        ServeProcess victim = serve("victim", database);
        Api other = new Api(victim.url());
        String id = submit(other, ",\"retuneSeconds\":20");
        ScriptedWorker there = ScriptedWorker.cuda(other, 0);
        int[] trials = {0};
        Awaiting.until(() -> {
            trials[0] += tune(there);
            return trials[0] >= 3;
        });
        JsonNode before = other.get("/api/v1/gate-runs/" + id).expect(200);
        assertThat(before.get("verdict").asString()).isEqualTo("fail");
        victim.process().destroyForcibly().waitFor();

        ScriptedWorker here = there.at(survivor);
        until(() -> {
            tune(here);
            String state = retune(survivor, id).get("state").asString();
            return !List.of("waiting", "tuning", "comparing").contains(state);
        });
        JsonNode recovered = retune(survivor, id);
        assertThat(recovered.get("state").asString())
                .as(recovered.toPrettyString())
                .isEqualTo("recovered");
        assertThat(survivor.get("/api/v1/gate-runs/" + id).expect(200).get("verdict"))
                .isEqualTo(before.get("verdict"));
    }

    private static JsonNode retune(Api api, String id) {
        return api.get("/api/v1/gate-runs/" + id)
                .expect(200)
                .get("cases")
                .get(CASES - 1)
                .get("retune");
    }

    /** Answers what there is, and returns how many trials of a job were among it. */
    private static int tune(ScriptedWorker worker) {
        Config candidate = configs().getFirst();
        TuningGpu gpu = new TuningGpu(
                worker, FAMILY, config -> config.equals(candidate) ? 1.03 * TuningGpu.PEER_NS : TuningGpu.PEER_NS);
        List<Lease> leases = worker.leaseNow(1);
        leases.forEach(lease -> worker.report(
                        lease,
                        lease.work() instanceof Work.Run
                                ? new Report.Ran(lease.fence(), answer(lease))
                                : gpu.answer(lease))
                .taken());
        return (int) leases.stream()
                .filter(lease -> lease.work() instanceof Work.Screen)
                .count();
    }

    @ParameterizedTest
    @ValueSource(ints = {2})
    void aRunGoesOnWhenItsDatabaseWasKilled(int answers) throws Exception {
        ServeProcess serve = serve("alone", Map.of());
        Api api = new Api(serve.url());
        String id = submit(api, "");
        ScriptedWorker gpu = ScriptedWorker.cuda(api, 0);
        int[] done = {0};
        Awaiting.until(() -> {
            done[0] += done[0] < answers && work(gpu) ? 1 : 0;
            return done[0] == answers;
        });
        killPostgres(folder.resolve("alone"));
        until(() -> {
            work(gpu);
            return isOver(api.get("/api/v1/gate-runs/" + id).expect(200));
        });
        assertUndisturbed(api, id);
    }

    private static void killPostgres(Path home) throws IOException {
        long pid = Long.parseLong(Files.readAllLines(home.resolve("postgres/postmaster.pid"))
                .getFirst()
                .strip());
        ProcessHandle.of(pid).orElseThrow().destroyForcibly();
    }
}
