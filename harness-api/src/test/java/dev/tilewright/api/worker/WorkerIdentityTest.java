package dev.tilewright.api.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.RunningService;
import dev.tilewright.api.testing.RunningService.Service;
import dev.tilewright.api.testing.ScriptedWorker;
import dev.tilewright.model.exchange.Lease;
import dev.tilewright.model.exchange.LeaseRequest;
import dev.tilewright.model.exchange.Report;
import dev.tilewright.model.exchange.ReportBatch;
import dev.tilewright.model.space.Sha256;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

/** Workers share a token and are not each other. */
@ExtendWith(RunningService.class)
class WorkerIdentityTest {

    private static ScriptedWorker as(ScriptedWorker worker, ScriptedWorker other) {
        return new ScriptedWorker(worker.api(), other.id(), worker.device(), worker.testbed(), worker.token());
    }

    private static ScriptedWorker nameless(ScriptedWorker worker) {
        return new ScriptedWorker(worker.api(), worker.id(), worker.device(), worker.testbed());
    }

    @Test
    void aWorkerHasATokenOfItsOwnOfWhichTheHashIsKept(Api api, Service service) {
        ScriptedWorker worker = ScriptedWorker.simulated(api);
        assertThat(worker.token()).matches("[0-9a-f]{64}");
        assertThat(ScriptedWorker.simulated(api).token()).isNotEqualTo(worker.token());
        assertThat(service.jdbc()
                        .sql("select token_hash from worker where id = :id")
                        .param("id", worker.id())
                        .query(String.class)
                        .single())
                .isEqualTo(Sha256.hex(worker.token()));
    }

    @Test
    void anIdIsRegisteredAgainByItsOwnTokenAlone(Api api) {
        ScriptedWorker worker = ScriptedWorker.simulated(api);
        ScriptedWorker stranger = ScriptedWorker.simulated(api);
        assertThat(worker.register().token()).isEqualTo(worker.token());
        nameless(worker).tryToRegister().problem(401);
        JsonNode refused = as(stranger, worker).tryToRegister().problem(403);
        assertThat(refused.get("detail").asString())
                .isEqualTo("the token in Tilewright-Worker-Token is not that of worker " + worker.id());
        api.submit("simulated:h200", "random", 1, "640x384x256");
        assertThat(worker.lease(1)).hasSize(1);
    }

    @Test
    void leasesAreAskedForUnderTheWorkersOwnIdAlone(Api api) {
        ScriptedWorker worker = ScriptedWorker.simulated(api);
        ScriptedWorker stranger = ScriptedWorker.simulated(api);
        api.submit("simulated:h200", "random", 1, "640x384x256");
        LeaseRequest request = new LeaseRequest(worker.id(), worker.device(), 1, 0);
        stranger.work("/api/v1/leases", request).problem(403);
        api.work("/api/v1/leases", request).problem(401);
        assertThat(worker.lease(1)).hasSize(1);
    }

    @Test
    void aStrangerReportsAndExtendsNoLease(Api api, Service service) {
        ScriptedWorker worker = ScriptedWorker.simulated(api);
        ScriptedWorker stranger = ScriptedWorker.simulated(api);
        String job = api.submit("simulated:h200", "random", 2, "640x384x256");
        Lease lease = worker.leaseOne();

        assertThat(stranger.report(lease, stranger.completed(lease, 5000))
                        .refused(404)
                        .get("detail")
                        .asString())
                .isEqualTo("there is no lease " + lease.leaseId());
        stranger.report(lease, new Report.Refused(lease.fence(), "given back")).refused(404);
        api.work(
                        "/api/v1/reports",
                        new ReportBatch(
                                List.of(new ReportBatch.LeaseReport(lease.leaseId(), worker.completed(lease, 5000)))))
                .problem(401);
        assertThat(api.result(job).at("/studies/0/counts/finished").asInt()).isZero();

        assertThat(stranger.heartbeat(lease)).as("told to drop it").containsExactly(lease.leaseId());
        stranger.work("/api/v1/heartbeats", worker.beat(List.of(lease))).problem(403);
        api.work("/api/v1/heartbeats", worker.beat(List.of(lease))).problem(401);
        service.clock().advance(Duration.ofSeconds(14));
        stranger.heartbeat(lease);
        service.clock().advance(Duration.ofSeconds(2));
        assertThat(worker.heartbeat(lease))
                .as("it lives until somebody expires it")
                .isEmpty();
        worker.complete(lease, 5000);
    }

    @Test
    void aWorkerThatWasForgottenIsToldToRegisterAndGetsAnotherToken(Api api, Service service) {
        ScriptedWorker worker = ScriptedWorker.simulated(api);
        service.jdbc()
                .sql("delete from worker where id = :id")
                .param("id", worker.id())
                .update();
        worker.work("/api/v1/leases", new LeaseRequest(worker.id(), worker.device(), 1, 0))
                .problem(404);
        worker.work("/api/v1/reports", new ReportBatch(List.of())).problem(422);
        ScriptedWorker again = worker.register();
        assertThat(again.token()).isNotEqualTo(worker.token());
        assertThat(again.leaseNow(1)).isEmpty();
    }
}
