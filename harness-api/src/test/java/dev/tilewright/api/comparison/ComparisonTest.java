package dev.tilewright.api.comparison;

import static dev.tilewright.api.testing.ScriptedComparison.OWN;
import static dev.tilewright.api.testing.ScriptedComparison.PATH;
import static dev.tilewright.api.testing.ScriptedComparison.VENDOR;
import static dev.tilewright.api.testing.ScriptedComparison.block;
import static dev.tilewright.api.testing.ScriptedComparison.body;
import static dev.tilewright.api.testing.ScriptedComparison.faster;
import static dev.tilewright.api.testing.ScriptedComparison.submit;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.RunningService;
import dev.tilewright.api.testing.RunningService.Service;
import dev.tilewright.api.testing.ScriptedWorker;
import dev.tilewright.model.exchange.BuiltKernel;
import dev.tilewright.model.exchange.GpuTask;
import dev.tilewright.model.exchange.GpuTaskResult;
import dev.tilewright.model.exchange.GpuTaskResult.Compared;
import dev.tilewright.model.exchange.Lease;
import dev.tilewright.model.exchange.Report;
import dev.tilewright.model.exchange.TrialResult;
import dev.tilewright.model.exchange.Work;
import dev.tilewright.model.trial.Ratio;
import dev.tilewright.model.trial.TrialOutcome;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Two kernels are compared by a GPU, whatever becomes of the workers that are asked. */
@ExtendWith(RunningService.class)
class ComparisonTest {

    /** Longer than a lease lives. */
    private static final Duration SILENCE = Duration.ofSeconds(20);

    private static JsonNode comparison(Api api, String id) {
        return api.get(PATH + "/" + id).expect(200);
    }

    @Test
    void aGpuAnswersOnceAndItsBlocksAreKept(Api api) {
        String id = submit(api);
        assertThat(comparison(api, id).get("state").asString()).isEqualTo("queued");
        ScriptedWorker gpu = ScriptedWorker.cuda(api, 0);
        Lease lease = gpu.leaseOne();
        assertThat(lease.studyId()).isNull();
        assertThat(lease.work()).isInstanceOfSatisfying(Work.Run.class, run -> {
            GpuTask.Compare task = (GpuTask.Compare) run.task();
            assertThat(task.kernels()).extracting(BuiltKernel::family).containsExactly("toy");
            assertThat(lease.spaceHashes()).containsOnlyKeys("toy");
            assertThat(task.second()).isEqualTo(new GpuTask.Side.OfPeer("cublaslt", "3"));
        });
        assertThat(comparison(api, id).get("state").asString()).isEqualTo("leased");
        gpu.report(lease, faster(lease)).taken();
        gpu.report(lease, faster(lease)).taken();

        JsonNode done = comparison(api, id);
        assertThat(done.get("state").asString()).isEqualTo("finished");
        assertThat(done.get("testbed").get("device").asString()).isEqualTo("NVIDIA H200");
        assertThat(done.get("result").get("verdict").asString()).isEqualTo("faster");
        assertThat(done.get("result").get("blocks")).hasSize(2);
        assertThat(gpu.leaseNow(4)).as("nothing is left").isEmpty();
    }

    @Test
    void aComparisonGoesBeforeTheTrialsOfAStudy(Api api) {
        api.submit("cuda:0", "random", 4, "640x384x256");
        ScriptedWorker gpu = ScriptedWorker.cuda(api, 0);
        gpu.complete(gpu.leaseOne(), 1000);
        submit(api);
        assertThat(gpu.lease(3).getFirst().work()).isInstanceOf(Work.Run.class);
    }

    @Test
    void whatTimesNothingIsNotAsked(Api api) {
        submit(api);
        assertThat(ScriptedWorker.simulated(api).leaseNow(4)).isEmpty();
        assertThat(ScriptedWorker.emulated(api).leaseNow(4)).isEmpty();
        assertThat(ScriptedWorker.cuda(api, 0).leaseNow(4)).hasSize(1);
    }

    @Test
    void afterThreeLostWorkersItFails(Api api, Service service) {
        String id = submit(api);
        for (int i = 0; i < 3; i++) {
            assertThat(ScriptedWorker.cuda(api, i).leaseNow(1)).hasSize(1);
            service.silence(SILENCE);
        }
        JsonNode failed = comparison(api, id);
        assertThat(failed.get("state").asString()).isEqualTo("failed");
        assertThat(failed.get("error").asString()).isEqualTo("3 workers were lost while they held this");
    }

    private static void refuse(ScriptedWorker gpu, String reason) {
        Lease lease = gpu.leaseOne();
        gpu.report(lease, new Report.Refused(lease.fence(), reason)).taken();
    }

    /** It is never offered to the same worker again while another may take it. */
    @Test
    void oneWorkerThatRefusesLeavesItToTheOthers(Api api, Service service) {
        String id = submit(api);
        ScriptedWorker able = ScriptedWorker.cuda(api, 0);
        ScriptedWorker broken = ScriptedWorker.cuda(api, 1);
        refuse(broken, "out of order");
        assertThat(broken.lease(1)).isEmpty();
        service.clock().advance(Duration.ofSeconds(6));
        broken.heartbeat();
        able.heartbeat();
        assertThat(broken.lease(1)).as("another may take it").isEmpty();
        assertThat(comparison(api, id).get("state").asString()).isEqualTo("queued");
        Lease lease = able.leaseOne();
        able.report(lease, faster(lease)).taken();
        assertThat(comparison(api, id).get("state").asString()).isEqualTo("finished");
    }

    @Test
    void theOnlyWorkerIsAskedThreeTimesWithPauses(Api api, Service service) {
        String id = submit(api);
        ScriptedWorker only = ScriptedWorker.cuda(api, 0);
        for (int i = 0; i < 3; i++) {
            assertThat(comparison(api, id).get("state").asString()).isEqualTo("queued");
            refuse(only, "out of order " + i);
            assertThat(only.lease(1)).as("not before a pause").isEmpty();
            service.clock().advance(Duration.ofSeconds(6));
        }
        assertThat(comparison(api, id).get("error").asString())
                .isEqualTo("the only worker that may take it refused it 3 times; the last time: out of order 2");
    }

    @Test
    void afterThreeRefusalsItFailsWithTheLastReason(Api api) {
        String id = submit(api);
        for (int i = 0; i < 3; i++) {
            ScriptedWorker gpu = ScriptedWorker.cuda(api, i);
            Lease lease = gpu.leaseOne();
            gpu.report(lease, new Report.Refused(lease.fence(), "out of order " + i))
                    .taken();
        }
        assertThat(comparison(api, id).get("error").asString())
                .isEqualTo("3 workers refused it; the last one: out of order 2");
    }

    @Test
    void whatFailedSaysWhy(Api api) {
        String id = submit(api);
        ScriptedWorker gpu = ScriptedWorker.cuda(api, 0);
        Lease lease = gpu.leaseOne();
        gpu.report(lease, new Report.Ran(lease.fence(), new GpuTaskResult.Failed("no libcublasLt")))
                .taken();
        JsonNode failed = comparison(api, id);
        assertThat(failed.get("state").asString()).isEqualTo("failed");
        assertThat(failed.get("error").asString()).isEqualTo("no libcublasLt");
    }

    @Test
    void aReportThatMakesNoSenseIsRefusedAndNothingIsLost(Api api) {
        String id = submit(api);
        ScriptedWorker gpu = ScriptedWorker.cuda(api, 0);
        Lease lease = gpu.leaseOne();
        gpu.report(lease, new Report.Screened(lease.fence(), TrialResult.failed(TrialOutcome.CRASH, "")))
                .refused(422);
        Compared said = (Compared) faster(lease).result();
        Compared upsideDown = new Compared(
                said.verdict(), new Ratio(1, 2, 0.5, 20), said.first(), said.second(), said.blocks(), List.of(), "");
        gpu.report(lease, new Report.Ran(lease.fence(), upsideDown)).refused(422);
        Compared ofNobody = new Compared(
                said.verdict(), null, said.first(), said.second(), List.of(block(0, "nobody", 5)), List.of(), "");
        assertThat(gpu.report(lease, new Report.Ran(lease.fence(), ofNobody))
                        .refused(422)
                        .get("errors"))
                .hasSize(2);
        assertThat(comparison(api, id).get("state").asString()).isEqualTo("leased");
        gpu.report(lease, faster(lease)).taken();
    }

    @Test
    void aCancelledOneIsNotLeasedAndItsLeaseEnds(Api api) {
        String id = submit(api);
        ScriptedWorker gpu = ScriptedWorker.cuda(api, 0);
        Lease lease = gpu.leaseOne();
        assertThat(api.post(PATH + "/" + id + "/cancel", "")
                        .expect(200)
                        .get("state")
                        .asString())
                .isEqualTo("cancelled");
        assertThat(gpu.heartbeat(lease)).containsExactly(lease.leaseId());
        gpu.report(lease, faster(lease)).taken();
        assertThat(comparison(api, id).get("state").asString()).isEqualTo("cancelled");
    }

    /** The table of a range names its kernels by the space of the least M; few M would search for these tiles. */
    @ParameterizedTest
    @CsvSource({"195, 176", "1423, 216"})
    void aKernelThatWasFoundForOtherRowsIsCompared(int m, int tileM, Api api) {
        String found =
                "{\"family\":\"sm90-gemm\",\"config\":\"static %dx64x64 s4 alongM coop1 swapAB=1 r0 clusterK=1\"}";
        String request = body(found.formatted(tileM), found.formatted(72), "").replace("\"m\":640", "\"m\":" + m);
        api.post(PATH, request).expect(202);
        Lease lease = ScriptedWorker.cuda(api, 0).leaseOne();
        assertThat(lease.work())
                .isInstanceOfSatisfying(
                        Work.Run.class,
                        run -> assertThat(((GpuTask.Compare) run.task()).kernels())
                                .extracting(kernel -> kernel.config().whole("tileM"))
                                .containsExactly(tileM, 72));

        assertThat(Api.errors(api.post(PATH, request.replace(tileM + "x64x64", (tileM + 1) + "x64x64"))
                        .problem(422)))
                .singleElement()
                .asString()
                .startsWith("/first/config: tileM must be one of 16, 24, ")
                .endsWith("got " + (tileM + 1));
    }

    @Test
    void aTrialBringsItsConfigAndItsProblem(Api api) {
        String job = api.submit("cuda:0", "random", 1, "640x384x256");
        ScriptedWorker gpu = ScriptedWorker.cuda(api, 0);
        Lease screen = gpu.leaseOne();
        gpu.complete(screen, 1000);
        String trial = ((Work.Screen) screen.work()).trialId().toString();
        JsonNode asked = api.post(
                        PATH, "{\"first\":{\"trial\":\"%s\"},\"second\":{\"peer\":\"cublaslt\"}}".formatted(trial))
                .expect(202);
        assertThat(asked.get("problem").get("m").asInt()).isEqualTo(640);
        assertThat(asked.get("first").get("family").asString()).isEqualTo("toy");
        assertThat(asked.get("first").get("config").get("tileM").asInt())
                .isEqualTo(((Work.Screen) screen.work()).config().whole("tileM"));
        assertThat(api.job(job)).isNotNull();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{} | /first: give one of config, trial and peer, got 0",
                "{\"peer\":\"cublaslt\",\"config\":{}} | /first: give one of config, trial and peer, got 2",
                "{\"peer\":\"clblast\"} | /first/peer: unknown peer 'clblast'; known: cublaslt",
                "{\"family\":\"toy\",\"config\":{\"tileM\":64}} | /first/config: ",
                "{\"family\":\"toy\"} | /first/config: is required: toy has ",
                "{\"family\":\"tyo\",\"config\":{}} | /first/family: unknown kernel family 'tyo'",
                "{\"family\":\"toy\",\"peer\":\"cublaslt\"} | /first/family: is that of a config, and none is given",
                "{\"peer\":\"cublaslt\",\"slowedBy\":0.01} | /first/slowedBy: is of a kernel whose text is known",
                "{\"family\":\"toy\",\"config\":{\"scheduler\":\"static\",\"tileM\":256,\"tileN\":128,\"rasterGroup\":1}}"
                        + " | /first/config: accumulator: 32768 elements are more than 16384",
                "{\"family\":\"toy\",\"config\":\"static tileM=256 tileN=128 rasterGroup=1\"}"
                        + " | /first/config: accumulator: 32768 elements are more than 16384",
                "{\"family\":\"toy\",\"config\":\"static s6\"} | /first/config: 's6' is no part of a config",
                "{\"family\":\"toy\",\"config\":\"sm90-gemm static\"}"
                        + " | /first/config: the config is one of sm90-gemm, but the family toy is named",
                "{\"trial\":\"00000000-0000-0000-0000-000000000001\"} | /first/trial: there is no trial 0",
                "{\"algorithm\":\"3\"} | /first/algorithm: is of a peer, and none is given",
            })
    void whatCannotBeComparedIsSaidWithItsPlace(String first, String said, Api api) {
        JsonNode problem = api.post(PATH, body(first, VENDOR, "")).problem(422);
        assertThat(Api.errors(problem)).anyMatch(error -> error.startsWith(said));
    }

    @Test
    void noPeerIsComparedWhereLaunchesOverlap(Api api) {
        String overlapping = body(OWN, VENDOR, "")
                .replaceFirst("\"problem\":\\{", "\"problem\":{\"scenario\":{\"launchOverlap\":true},");
        assertThat(Api.errors(api.post(PATH, overlapping).problem(422)))
                .contains("/second/peer: cannot be asked for: no peer's launches can be made to overlap");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "simulated:h200 | /device: must be a GPU, such as cuda:0, or auto: kernels are timed, got",
                "gpu | /device: unknown device 'gpu'; known: auto"
            })
    void onlyAGpuCompares(String device, String said, Api api) {
        JsonNode problem = api.post(PATH, body(OWN, VENDOR, ",\"device\":\"" + device + "\""))
                .problem(422);
        assertThat(Api.errors(problem)).anyMatch(error -> error.startsWith(said));
    }
}
