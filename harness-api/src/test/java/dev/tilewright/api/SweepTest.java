package dev.tilewright.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tilewright.api.RunningService.Service;
import dev.tilewright.model.exchange.Lease;
import dev.tilewright.model.exchange.Work;
import dev.tilewright.model.trial.TrialOutcome;
import java.time.Duration;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.JsonNode;

@ExtendWith(RunningService.class)
class SweepTest {

    private static final Offset<Double> ROUNDING = within(1e-12);

    private static JsonNode sweep(Api api, String job) {
        return api.result(job).get("studies").get(0).get("sweep");
    }

    @Test
    void rateAndSharesAreOfTheTimeFromTheFirstLeaseToTheLastScreen(Api api, Service service) {
        String id = api.submit("cuda", "random", 5, "640x384x256");
        ScriptedWorker first = ScriptedWorker.cuda(api, 0);
        ScriptedWorker second = ScriptedWorker.cuda(api, 1);
        service.clock().advance(Duration.ofSeconds(100));
        Lease screen = first.leaseOne();
        assertThat(sweep(api, id).isNull()).isTrue();
        service.clock().advance(Duration.ofMillis(20));
        first.complete(screen, 100);
        second.complete(second.leaseOne(), 110);
        Lease build = second.leaseOne();
        second.report(build, ScriptedWorker.failed(build, TrialOutcome.BUILD, "never reached the device"))
                .taken();
        Lease crash = first.leaseOne();
        service.clock().advance(Duration.ofMillis(20));
        first.report(crash, ScriptedWorker.failed(crash, TrialOutcome.CRASH, "illegal address"))
                .taken();
        first.complete(first.leaseOne(), 120);
        // The final counts no more than the time before the first lease.
        service.clock().advance(Duration.ofSeconds(100));
        assertThat(first.leaseOne().work()).isInstanceOf(Work.Final.class);

        JsonNode sweep = sweep(api, id);
        assertThat(sweep.get("configs").asInt()).isEqualTo(4);
        assertThat(sweep.get("seconds").asDouble()).isCloseTo(0.04, ROUNDING);
        assertThat(sweep.get("configsPerSecond").asDouble()).isCloseTo(100, within(1e-9));
        // Three completed trials with 4 ms and 1 ms each, on two devices for 40 ms.
        assertThat(sweep.get("gpuBusyShare").asDouble()).isCloseTo(12.0 / 80, ROUNDING);
        assertThat(sweep.get("gpuSpinFlushShare").asDouble()).isCloseTo(3.0 / 80, ROUNDING);
        assertThat(sweep.get("gpuWaitShares").size()).isEqualTo(2);
        assertThat(sweep.get("gpuWaitShares").get("load").asDouble()).isCloseTo(6.0 / 80, ROUNDING);
        assertThat(sweep.get("gpuWaitShares").get("outside").asDouble())
                .as("the whole without what the trials account for")
                .isCloseTo((80 - 12 - 3 - 6.0) / 80, ROUNDING);
    }

    @Test
    void aSimulatedStudyHasARateAndNoShares(Api api, Service service) {
        String id = api.submit("simulated:h200", "random", 2, "640x384x256");
        ScriptedWorker worker = ScriptedWorker.simulated(api);
        worker.complete(worker.leaseOne(), 100);
        // No time passed yet: there is no rate.
        assertThat(sweep(api, id).isNull()).isTrue();
        Lease last = worker.leaseOne();
        service.clock().advance(Duration.ofMillis(500));
        worker.complete(last, 90);
        assertThat(sweep(api, id).get("configsPerSecond").asDouble()).isEqualTo(4);
        assertThat(sweep(api, id).get("gpuBusyShare").isNull()).isTrue();
        assertThat(sweep(api, id).get("gpuSpinFlushShare").isNull()).isTrue();
        assertThat(sweep(api, id).get("gpuWaitShares").isNull()).isTrue();
    }
}
