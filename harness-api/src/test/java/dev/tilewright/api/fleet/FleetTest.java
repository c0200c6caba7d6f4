package dev.tilewright.api.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.RunningService;
import dev.tilewright.api.testing.RunningService.Service;
import dev.tilewright.api.testing.ScriptedWorker;
import dev.tilewright.model.exchange.DeviceOffer;
import dev.tilewright.model.exchange.Lease;
import dev.tilewright.model.exchange.WorkerRegistration;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

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
    void howAGpuDealsClustersOutIsToldAsItWasMeasured(Api api) {
        ScriptedWorker gpu = ScriptedWorker.cuda(api, 0);
        assertThat(worker(api, gpu).get("devices").get(0).get("deals").isNull())
                .as("nobody looked")
                .isTrue();
        gpu.register(new DeviceOffer(
                        gpu.device(),
                        gpu.testbed(),
                        List.of(new DeviceOffer.Deal(1, 0, 1, 0, 0, 0), new DeviceOffer.Deal(2, 4, 8, 7, 6, 1))))
                .expect(200);
        JsonNode deals = worker(api, gpu).get("devices").get(0).get("deals");
        assertThat(deals).hasSize(2);
        assertThat(deals.get(1).toString())
                .isEqualTo("{\"clusterSize\":2,\"first\":4,\"gpcs\":8,\"rounds\":7,\"laterGpcs\":6,\"laterRounds\":1}");
        assertThat(api.get("/workers").text())
                .contains(">of 1: no pattern<", ">of 2: 4 first, 8 GPCs × 7, then 6 × 1<");
        JsonNode refused = api.work("/api/v1/workers", wrong(gpu)).problem(422);
        assertThat(Api.errors(refused).toString()).contains("at least one GPC", "got clusters of 2, 0, 0 x 7");
    }

    /** As a worker would say it whose GPU has no GPC. */
    private static JsonNode wrong(ScriptedWorker gpu) {
        ObjectNode registration = gpu.api()
                .mapper()
                .valueToTree(new WorkerRegistration(
                        UUID.randomUUID(),
                        "host",
                        1,
                        List.of(new DeviceOffer(
                                "cuda:1", gpu.testbed(), List.of(new DeviceOffer.Deal(2, 0, 8, 7, 0, 0)))),
                        Map.of()));
        ((ObjectNode) registration.at("/devices/0/deals/0")).put("gpcs", 0);
        return registration;
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
