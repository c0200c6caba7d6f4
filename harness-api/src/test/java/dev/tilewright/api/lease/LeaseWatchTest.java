package dev.tilewright.api.lease;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.RunningService;
import dev.tilewright.api.testing.RunningService.Service;
import dev.tilewright.api.testing.ScriptedWorker;
import dev.tilewright.model.exchange.Lease;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.transaction.support.TransactionTemplate;

/** Silence counts while somebody listens, and by the time that passes, not by what the clock says. */
@ExtendWith(RunningService.class)
class LeaseWatchTest {

    private static final Duration TTL = Duration.ofSeconds(15);

    private static void look(Service service) {
        service.bean(LeaseWatch.class).look();
    }

    private static int attempts(Api api, String job) {
        return api.result(job)
                .get("studies")
                .get(0)
                .get("trials")
                .get(0)
                .get("attempts")
                .asInt();
    }

    @ParameterizedTest
    @ValueSource(ints = {-3600, -30, 30, 3600})
    void aClockThatIsSetEndsNoLeaseAndKeepsNone(int seconds, Api api, Service service) {
        String job = api.submit("simulated:h200", "random", 1, "640x384x256");
        ScriptedWorker silent = ScriptedWorker.simulated(api);
        Lease lease = silent.leaseOne();
        service.silence(Duration.ofSeconds(8));
        service.clock().leap(Duration.ofSeconds(seconds));
        look(service);
        assertThat(silent.heartbeat(lease)).as("it lives").isEmpty();

        service.silence(TTL);
        ScriptedWorker next = ScriptedWorker.simulated(api);
        next.complete(next.leaseOne(), 1000);
        assertThat(attempts(api, job)).isEqualTo(2);
    }

    @Test
    void aServiceThatWasStoppedHearsItsWorkersFirst(Api api, Service service) {
        String job = api.submit("simulated:h200", "random", 1, "640x384x256");
        ScriptedWorker worker = ScriptedWorker.simulated(api);
        Lease lease = worker.leaseOne();
        service.silence(Duration.ofSeconds(8));
        service.clock().advance(Duration.ofSeconds(60));
        look(service);
        service.silence(TTL.minusSeconds(1));
        worker.complete(lease, 1000);
        assertThat(attempts(api, job)).isEqualTo(1);
    }

    @Test
    void aHeartbeatThatCouldNotBeNotedCountsAsHeard(Api api, Service service) {
        api.submit("simulated:h200", "random", 1, "640x384x256");
        ScriptedWorker worker = ScriptedWorker.simulated(api);
        Lease lease = worker.leaseOne();
        service.silence(TTL.minusSeconds(1));
        service.bean(TransactionTemplate.class).executeWithoutResult(_ -> {
            service.jdbc().sql("lock table worker in exclusive mode").update();
            worker.work("/api/v1/heartbeats", worker.beat(List.of(lease))).problem(503);
        });
        service.clock().advance(Duration.ofSeconds(1));
        look(service);
        service.silence(TTL.minusSeconds(1));
        assertThat(worker.heartbeat(lease)).as("it lives").isEmpty();
    }

    @Test
    void aDeadWorkerDoesNotLiveUntilTheClockIsWhereItWas(Api api, Service service) {
        api.submit("auto", "random", 1, "640x384x256");
        ScriptedWorker simulated = ScriptedWorker.simulated(api);
        ScriptedWorker.cuda(api, 0);
        assertThat(simulated.lease(1)).isEmpty();
        look(service);
        service.clock().leap(Duration.ofHours(-1));
        service.silence(TTL.plusSeconds(1));
        assertThat(simulated.lease(1)).hasSize(1);
    }

    @Test
    void aClaimThatOutlivedTheClockIsOver(Api api, Service service) {
        String job = api.submit("simulated:h200", "random", 9, "640x384x256");
        ScriptedWorker worker = ScriptedWorker.simulated(api);
        Lease lease = worker.leaseOne();
        api.settle();
        service.jdbc()
                .sql("update study set driven_by = :killed, driven_until = now() + interval '1 hour'")
                .param("killed", UUID.randomUUID())
                .update();
        worker.complete(lease, 1000);
        worker.workOff(20, 4);
        assertThat(api.job(job).get("state").asString()).isEqualTo("finished");
    }

    @Test
    void aStudyWithATimeLimitEndsThoughTheClockWasSetBack(Api api, Service service) {
        service.clock().advance(Duration.ofSeconds(1));
        String job = api.submit("simulated:h200", "random", 1, "640x384x256");
        ScriptedWorker worker = ScriptedWorker.simulated(api);
        worker.leaseOne();
        look(service);
        service.clock().leap(Duration.ofHours(-1));
        look(service);
        assertThat(service.jdbc()
                        .sql("select started_at = :now from study where job_id = cast(:job as uuid)")
                        .param("now", service.clock().instant().atOffset(java.time.ZoneOffset.UTC))
                        .param("job", job)
                        .query(Boolean.class)
                        .single())
                .isTrue();
    }
}
