package dev.tilewright.api.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.RunningService;
import dev.tilewright.api.testing.RunningService.Service;
import dev.tilewright.api.testing.ScriptedWorker;
import dev.tilewright.model.exchange.Lease;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

/** Who works is told with what each device holds. */
@ExtendWith(RunningService.class)
class FleetTest {

    @Test
    void aWorkerIsShownWithWhatItHolds(Api api) {
        String job = api.submit("cuda:all", "random", 8, "640x384x256");
        ScriptedWorker idle = ScriptedWorker.simulated(api);
        ScriptedWorker busy = ScriptedWorker.cuda(api, 3);
        List<Lease> leases = busy.lease(2);
        assertThat(leases).hasSize(2);

        JsonNode worker = worker(api, busy);
        assertThat(worker.get("state").asString()).isEqualTo("live");
        assertThat(worker.get("host").asString()).isEqualTo("host");
        assertThat(worker.get("families").valueStream().map(JsonNode::asString)).contains("sm90-gemm", "toy");
        JsonNode device = worker.get("devices").get(0);
        assertThat(device.get("label").asString()).isEqualTo("cuda:3");
        assertThat(device.get("testbed").get("device").asString()).isEqualTo("NVIDIA H200");
        assertThat(device.get("leases").asInt()).isEqualTo(2);
        assertThat(device.get("studies").get(0))
                .isEqualTo(api.job(job).get("studies").get(0).get("id"));
        busy.complete(leases.getFirst(), 1000);
        assertThat(worker(api, busy).get("devices").get(0).get("leases").asInt())
                .isEqualTo(1);
        assertThat(worker(api, idle).get("devices").get(0).get("leases").asInt())
                .isZero();
        assertThat(worker(api, idle).get("devices").get(0).get("studies")).isEmpty();
    }

    @Test
    void aTaskIsHeldToo(Api api) {
        api.post("/api/v1/comparisons", """
                {"problem":{"m":640,"n":384,"k":256},"device":"cuda",
                "first":{"peer":"cublaslt"},"second":{"peer":"cublaslt","algorithm":"1"}}""").expect(202);
        ScriptedWorker gpu = ScriptedWorker.cuda(api, 0);
        assertThat(gpu.lease(1)).hasSize(1);
        assertThat(worker(api, gpu).get("devices").get(0).get("leases").asInt()).isEqualTo(1);
    }

    @Test
    void oneThatFellSilentIsLast(Api api, Service service) {
        ScriptedWorker gone = ScriptedWorker.simulated(api);
        service.silence(Duration.ofSeconds(20));
        ScriptedWorker here = ScriptedWorker.cuda(api, 0);
        JsonNode all = api.get("/api/v1/workers").expect(200);
        assertThat(all.valueStream()
                        .map(worker -> worker.get("id").asString() + " "
                                + worker.get("state").asString()))
                .containsExactly(here.id() + " live", gone.id() + " silent");
        assertThat(api.get("/api/v1/workers?live=true").expect(200)).hasSize(1);
        assertThat(api.get("/api/v1/workers?live=perhaps")
                        .problem(400)
                        .get("detail")
                        .asString())
                .contains("perhaps");
    }

    private static JsonNode worker(Api api, ScriptedWorker worker) {
        return api.get("/api/v1/workers")
                .expect(200)
                .valueStream()
                .filter(one -> one.get("id").asString().equals(worker.id().toString()))
                .findFirst()
                .orElseThrow();
    }
}
