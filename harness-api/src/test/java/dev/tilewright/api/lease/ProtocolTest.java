package dev.tilewright.api.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.RunningService;
import dev.tilewright.api.testing.RunningService.Service;
import dev.tilewright.api.testing.ScriptedWorker;
import dev.tilewright.model.exchange.LeaseRequest;
import dev.tilewright.model.exchange.Protocol;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Worker and service say which protocol they speak. */
@ExtendWith(RunningService.class)
class ProtocolTest {

    private static final String BEARER = "Bearer " + RunningService.WORKER_TOKEN;

    /** The body of another protocol is not read: it may have any form. */
    @ParameterizedTest
    @CsvSource({"1, protocol 1", "999, protocol 999", "0, protocol 0", "x, protocol x", "01, protocol 01"})
    void aWorkerOfAnotherProtocolIsRefusedByName(String spoken, String said, Api api, Service service) {
        JsonNode problem = api.post(
                        "/api/v1/workers", "{\"of\":\"tomorrow\"}", "authorization", BEARER, Protocol.HEADER, spoken)
                .problem(409);
        assertThat(problem.get("type").asString()).isEqualTo("urn:tilewright:problem:other-protocol");
        assertThat(problem.get("detail").asString())
                .startsWith("the worker speaks " + said + " and this service protocol " + Protocol.VERSION
                        + ": run a worker of the build of this service");
        assertThat(service.jdbc()
                        .sql("select count(*) from worker")
                        .query(Integer.class)
                        .single())
                .isZero();
    }

    @Test
    void soIsOneThatNamesNone(Api api) {
        assertThat(api.post("/api/v1/workers", "{}", "authorization", BEARER)
                        .problem(409)
                        .get("detail")
                        .asString())
                .startsWith("the worker speaks no protocol that it names");
    }

    /** It registered with a service that this one has replaced: it is told to register anew, and refused there. */
    @Test
    void aWorkerThatRegisteredWithAnotherProtocolGetsNoWork(Api api, Service service) {
        ScriptedWorker worker = ScriptedWorker.simulated(api);
        api.submit("simulated:h200", "random", 1, "640x384x256");
        service.jdbc().sql("update worker set protocol = protocol + 1").update();
        worker.work("/api/v1/leases", new LeaseRequest(worker.id(), worker.device(), 1, 0))
                .problem(404);
        service.jdbc().sql("update worker set protocol = protocol - 1").update();
        assertThat(worker.lease(1)).hasSize(1);
    }

    @Test
    void theServiceNamesItsVersions(Api api, Service service) {
        JsonNode version = api.get("/api/v1/version").expect(200);
        assertThat(version.get("protocol").asInt()).isEqualTo(Protocol.VERSION);
        assertThat(version.get("build").asString()).isNotBlank();
        assertThat(version.get("schema").asString())
                .isEqualTo(service.jdbc()
                        .sql("select max(version) from flyway_schema_history")
                        .query(String.class)
                        .single());
    }
}
