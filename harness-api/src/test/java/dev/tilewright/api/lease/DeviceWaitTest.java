package dev.tilewright.api.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.RunningService;
import dev.tilewright.api.testing.RunningService.Service;
import dev.tilewright.api.testing.ScriptedWorker;
import dev.tilewright.model.exchange.Lease;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

/** What nobody can take fails after a while, with the reason; what somebody may take waits for as long as it must. */
@ExtendWith(RunningService.class)
class DeviceWaitTest {

    /** The default of the setting. */
    private static final Duration WAIT = Duration.ofMinutes(15);

    private static final Duration LITTLE = Duration.ofSeconds(30);

    private static void listen(Service service) {
        service.clock().advance(Duration.ofSeconds(60));
        service.bean(LeaseWatch.class).look();
    }

    private static String error(Api api, String job) {
        return api.job(job).get("studies").get(0).get("error").asString("");
    }

    @Test
    void aJobForADeviceThatNobodyHasFailsWithTheReason(Api api, Service service) {
        listen(service);
        String job = api.submit("cuda:7", "random", 4, "640x384x256");
        String other = api.submit("simulated:h200", "random", 4, "640x384x256");
        service.silence(WAIT.minus(LITTLE));
        assertThat(api.job(job).get("state").asString()).isEqualTo("queued");
        ScriptedWorker.simulated(api);
        ScriptedWorker.cuda(api, 3);
        service.silence(LITTLE.multipliedBy(2));
        assertThat(api.job(job).get("state").asString()).isEqualTo("failed");
        assertThat(error(api, job))
                .isEqualTo("no worker that was heard in the last 15 min has a device for it: device cuda:7, family toy;"
                        + " there were cuda:3, simulated:h200");
        assertThat(api.job(other).get("state").asString())
                .as("somebody has its device")
                .isEqualTo("queued");
        assertThat(api.get("/api/v1/jobs?state=failed").expect(200).get("items"))
                .singleElement()
                .satisfies(failed -> assertThat(failed.get("id").asString()).isEqualTo(job));
        assertThat(api.get("/api/v1/jobs?state=finished").expect(200).get("items"))
                .isEmpty();
    }

    /** An hour of silence that nobody could hear, such as of a service that was stopped, counts for nobody. */
    @Test
    void aServiceThatHasJustBegunToListenWaitsItself(Api api, Service service) {
        String job = api.submit("cuda:7", "random", 4, "640x384x256");
        service.silence(LITTLE);
        service.clock().advance(Duration.ofHours(1));
        service.silence(WAIT.minus(LITTLE));
        assertThat(api.job(job).get("state").asString()).isEqualTo("queued");
        service.silence(LITTLE.multipliedBy(2));
        assertThat(error(api, job)).endsWith("; there was none at all");
    }

    @Test
    void aStudyWhoseTestbedIsGoneSaysOnWhatItBegan(Api api, Service service) {
        listen(service);
        String job = api.submit("cuda:all", "random", 8, "640x384x256");
        ScriptedWorker gpu = ScriptedWorker.cuda(api, 0);
        Lease first = gpu.leaseOne();
        gpu.complete(first, 1000);
        service.silence(WAIT.minus(LITTLE));
        ScriptedWorker.smallCuda(api, 72);
        service.silence(LITTLE.multipliedBy(2));
        assertThat(error(api, job)).endsWith("there were cuda:0; it began on NVIDIA H200, driver 580.1, ptxas 13.0.88");
        JsonNode trials = api.result(job).get("studies").get(0).get("trials");
        assertThat(trials.valueStream()
                        .filter(trial -> trial.get("outcome").asString().equals("completed")))
                .as("what was measured stays")
                .hasSize(1);
    }

    /** Who is behind others in the queue of a live device waits. */
    @Test
    void aJobWhoseDeviceIsBusyWaits(Api api, Service service) {
        listen(service);
        String job = api.submit("simulated:h200", "random", 4, "640x384x256");
        ScriptedWorker busy = ScriptedWorker.simulated(api);
        for (int i = 0; i < 4; i++) {
            service.silence(WAIT.dividedBy(3));
            assertThat(busy.heartbeat()).isEmpty();
        }
        service.silence(LITTLE);
        assertThat(api.job(job).get("state").asString()).isEqualTo("queued");
    }

    /** As long as an emulated GPU is there that has others to prove first. */
    @Test
    void aCheckOfATextWaitsForAnEmulatedGpuAlone(Api api, Service service) {
        listen(service);
        String id = api.post("/api/v1/text-checks", """
                {"ptx":".version 8.0","launch":"grid: 1"}""").expect(202).get("id").asString();
        ScriptedWorker busy = ScriptedWorker.emulated(api);
        for (int i = 0; i < 4; i++) {
            service.silence(WAIT.dividedBy(3));
            assertThat(busy.heartbeat()).isEmpty();
        }
        service.silence(LITTLE);
        assertThat(api.get("/api/v1/text-checks/" + id).expect(200).get("state").asString())
                .isEqualTo("queued");
        ScriptedWorker.cuda(api, 0);
        service.silence(WAIT.plus(LITTLE));
        JsonNode failed = api.get("/api/v1/text-checks/" + id).expect(200);
        assertThat(failed.get("state").asString()).isEqualTo("failed");
        assertThat(failed.get("error").asString()).contains("device emulated; there were cuda:0");
    }

    @Test
    void aTaskThatNoGpuCanTakeFailsToo(Api api, Service service) {
        listen(service);
        ScriptedWorker.simulated(api);
        String id = api.post("/api/v1/comparisons", """
                {"problem":{"m":640,"n":384,"k":256},"device":"cuda",
                "first":{"peer":"cublaslt"},"second":{"peer":"cublaslt","algorithm":"1"}}""").expect(202).get("id").asString();
        service.silence(WAIT.minus(LITTLE));
        assertThat(api.get("/api/v1/comparisons/" + id).expect(200).get("state").asString())
                .isEqualTo("queued");
        ScriptedWorker.simulated(api);
        service.silence(LITTLE.multipliedBy(2));
        JsonNode failed = api.get("/api/v1/comparisons/" + id).expect(200);
        assertThat(failed.get("state").asString()).isEqualTo("failed");
        assertThat(failed.get("error").asString())
                .isEqualTo("no worker that was heard in the last 15 min has a device for it: device cuda:all;"
                        + " there were simulated:h200");
    }
}
