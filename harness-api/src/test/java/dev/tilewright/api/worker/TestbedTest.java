package dev.tilewright.api.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.RunningService;
import dev.tilewright.api.testing.RunningService.Service;
import dev.tilewright.api.testing.ScriptedWorker;
import dev.tilewright.model.exchange.Lease;
import dev.tilewright.model.trial.TrialOutcome;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A testbed is one that a worker ran something on, and not one that a request says there is. */
@ExtendWith(RunningService.class)
class TestbedTest {

    private static List<String> known(Service service) {
        return service.jdbc()
                .sql("select device from testbed where ran_at is not null")
                .query(String.class)
                .list();
    }

    private static List<String> onDashboards(Service service) {
        return service.jdbc()
                .sql("select distinct testbed_device from v_study where testbed_device is not null")
                .query(String.class)
                .list();
    }

    @Test
    void aRegistrationAndALeaseMakeNone(Api api, Service service) {
        api.submit("cuda", "random", 3, "640x384x256");
        ScriptedWorker worker = ScriptedWorker.cuda(api, 0);
        Lease lease = worker.leaseOne();
        assertThat(known(service)).isEmpty();
        worker.report(lease, ScriptedWorker.failed(lease, TrialOutcome.BUILD, "never reached the device"))
                .taken();
        assertThat(known(service)).isEmpty();
        assertThat(onDashboards(service)).isEmpty();
    }

    @Test
    void whatRanOnItMakesOne(Api api, Service service) {
        api.submit("cuda", "random", 3, "640x384x256");
        ScriptedWorker worker = ScriptedWorker.cuda(api, 0);
        worker.complete(worker.leaseOne(), 1000);
        assertThat(known(service)).containsExactly("NVIDIA H200");
        assertThat(onDashboards(service)).containsExactly("NVIDIA H200");
    }

    @Test
    void aCrashIsARunToo(Api api, Service service) {
        api.submit("cuda", "random", 3, "640x384x256");
        ScriptedWorker worker = ScriptedWorker.cuda(api, 0);
        Lease lease = worker.leaseOne();
        worker.report(lease, ScriptedWorker.failed(lease, TrialOutcome.CRASH, "illegal address"))
                .taken();
        assertThat(known(service)).containsExactly("NVIDIA H200");
    }

    @Test
    void aDeviceThatRanNothingGoesWithItsWorkerAndATestbedStays(Api api, Service service) {
        ScriptedWorker.smallCuda(api, 4);
        api.submit("cuda:0", "random", 3, "640x384x256");
        ScriptedWorker worker = ScriptedWorker.cuda(api, 0);
        worker.complete(worker.leaseOne(), 1000);
        service.clock().advance(Duration.ofDays(31));
        assertThat(service.bean(WorkerService.class).forget()).isEqualTo(2);
        assertThat(service.jdbc()
                        .sql("select device from testbed")
                        .query(String.class)
                        .list())
                .containsExactly("NVIDIA H200");
    }
}
