package dev.tilewright.api.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.RunningService;
import dev.tilewright.api.testing.RunningService.Service;
import dev.tilewright.api.testing.ScriptedWorker;
import dev.tilewright.model.exchange.Lease;
import dev.tilewright.model.exchange.Report;
import dev.tilewright.model.exchange.TrialResult;
import dev.tilewright.model.exchange.Work;
import dev.tilewright.model.trial.TrialOutcome;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
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
        first.complete(screen, 1000);
        second.complete(second.leaseOne(), 1100);
        Lease build = second.leaseOne();
        second.report(build, ScriptedWorker.failed(build, TrialOutcome.BUILD, "never reached the device"))
                .taken();
        Lease crash = first.leaseOne();
        service.clock().advance(Duration.ofMillis(20));
        first.report(crash, ScriptedWorker.failed(crash, TrialOutcome.CRASH, "illegal address"))
                .taken();
        first.complete(first.leaseOne(), 1200);
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
        UUID study = UUID.fromString(api.job(id).get("studies").get(0).get("id").asString());
        assertThat(service.context().getBean(SweepRepository.class).spent(study))
                .as("three trials of 7 ms on two GPUs")
                .isEqualTo(Duration.ofNanos(10_500_000));
    }

    private static Report waited(ScriptedWorker worker, Lease lease, Duration request) {
        Report.Screened told = worker.completed(lease, 1000);
        Map<String, Long> timesNs = new HashMap<>(told.result().timesNs());
        timesNs.put("gpuWait.request", request.toNanos());
        return new Report.Screened(
                told.fence(),
                new TrialResult(
                        told.result().outcome(),
                        told.result().errorRatio(),
                        told.result().compilation(),
                        told.result().executed(),
                        told.result().measurements(),
                        told.result().evidence(),
                        told.result().checked(),
                        timesNs,
                        told.result().log()));
    }

    /** Each completed trial has 4 ms of work, 1 ms of spinning and 2 ms of loading beside its wait for a request. */
    @Test
    void whatARunnerWaitedForBeforeTheStudyIsNotOfTheStudy(Api api, Service service) {
        String id = api.submit("cuda", "random", 3, "640x384x256");
        ScriptedWorker worker = ScriptedWorker.cuda(api, 0);
        ScriptedWorker late = ScriptedWorker.cuda(api, 1);
        Lease first = worker.leaseOne();
        service.clock().advance(Duration.ofMillis(800));
        // The runner was up for seconds: of its wait no more than 800 - 7 ms can be of the study.
        worker.report(first, waited(worker, first, Duration.ofMillis(3184))).taken();
        Lease second = worker.leaseOne();
        Lease other = late.leaseOne();
        service.clock().advance(Duration.ofMillis(200));
        worker.report(second, waited(worker, second, Duration.ofMillis(150))).taken();
        // That this device came late is a wait of the study: all of it counts, up to its start.
        late.report(other, waited(late, other, Duration.ofMillis(5000))).taken();

        JsonNode sweep = sweep(api, id);
        JsonNode waits = sweep.get("gpuWaitShares");
        assertThat(sweep.get("seconds").asDouble()).isCloseTo(1, ROUNDING);
        assertThat(waits.get("request").asDouble()).isCloseTo((793 + 150 + 993) / 2000.0, ROUNDING);
        assertThat(waits.get("load").asDouble()).isCloseTo(6 / 2000.0, ROUNDING);
        assertThat(waits.get("outside").asDouble()).isCloseTo((2000 - 793 - 150 - 993 - 3 * 7) / 2000.0, ROUNDING);
        assertThat(waits.valueStream().mapToDouble(JsonNode::asDouble).sum()
                        + sweep.get("gpuBusyShare").asDouble()
                        + sweep.get("gpuSpinFlushShare").asDouble())
                .isCloseTo(1, ROUNDING);
    }

    /** A report whose other parts fill the time already, as clocks of two machines may have it. */
    @Test
    void aWaitIsCutToNothingAndNotBelow(Api api, Service service) {
        String id = api.submit("cuda", "random", 2, "640x384x256");
        ScriptedWorker worker = ScriptedWorker.cuda(api, 0);
        Lease first = worker.leaseOne();
        service.clock().advance(Duration.ofMillis(5));
        worker.report(first, waited(worker, first, Duration.ofMillis(40))).taken();
        JsonNode waits = sweep(api, id).get("gpuWaitShares");
        assertThat(waits.get("request").asDouble()).isZero();
        assertThat(waits.get("load").asDouble()).isCloseTo(2 / 5.0, ROUNDING);
    }

    @Test
    void aSimulatedStudyHasARateAndNoShares(Api api, Service service) {
        String id = api.submit("simulated:h200", "random", 2, "640x384x256");
        ScriptedWorker worker = ScriptedWorker.simulated(api);
        worker.complete(worker.leaseOne(), 1000);
        // No time passed yet: there is no rate.
        assertThat(sweep(api, id).isNull()).isTrue();
        Lease last = worker.leaseOne();
        service.clock().advance(Duration.ofMillis(500));
        worker.complete(last, 900);
        assertThat(sweep(api, id).get("configsPerSecond").asDouble()).isEqualTo(4);
        assertThat(sweep(api, id).get("gpuBusyShare").isNull()).isTrue();
        assertThat(sweep(api, id).get("gpuSpinFlushShare").isNull()).isTrue();
        assertThat(sweep(api, id).get("gpuWaitShares").isNull()).isTrue();
    }
}
