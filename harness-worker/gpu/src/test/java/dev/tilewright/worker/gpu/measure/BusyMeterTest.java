package dev.tilewright.worker.gpu.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.worker.gpu.cuda.FakeGpu;
import java.util.Map;
import org.junit.jupiter.api.Test;

class BusyMeterTest {

    private final FakeGpu gpu = new FakeGpu();
    private final BusyMeter meter = new BusyMeter(gpu);
    private final FakeArm arm = new FakeArm(gpu, "gemm", 2000, 1, 1);

    @Test
    void countsWhatIsInsideAndNothingElse() {
        meter.busy(() -> arm.enqueue(0));
        arm.enqueue(0);
        meter.busy(() -> {
            arm.enqueue(0);
            arm.enqueue(0);
        });
        BusyMeter.Span plugged = meter.begin();
        arm.enqueue(0);
        meter.end(plugged);
        meter.passed(plugged, 1500);

        assertThat(meter.take())
                .as("of the last span somebody says what it was")
                .isEqualTo(new BusyMeter.Usage(7500, 500, Map.of("start", 2000L)));
        assertThat(meter.take()).as("begins anew").isEqualTo(new BusyMeter.Usage(0, 0));
    }

    @Test
    void whatTheGpuWaitsForIsWhatTheHostWasAtMeanwhile() {
        BusyMeter watching = new BusyMeter(gpu, gpu::hostNs);
        watching.enter("load");
        watching.busy(() -> arm.enqueue(0));
        gpu.hostWorks(1500);
        watching.enter("state");
        gpu.hostWorks(900);
        watching.enter("verify");
        gpu.hostWorks(100);
        watching.busy(() -> arm.enqueue(0));
        watching.busy(() -> arm.enqueue(0));

        assertThat(watching.take())
                .as("for the first 2000 ns the GPU was at work")
                .isEqualTo(new BusyMeter.Usage(6000, 0, Map.of("state", 400L, "verify", 100L)));
    }

    @Test
    void aWaitGoesOnFromOneAccountToTheNext() {
        BusyMeter watching = new BusyMeter(gpu, gpu::hostNs);
        watching.busy(() -> arm.enqueue(0));
        watching.take();
        watching.enter("request");
        gpu.hostWorks(700);
        watching.forget();
        watching.busy(() -> arm.enqueue(0));

        assertThat(watching.take()).isEqualTo(new BusyMeter.Usage(2000, 0, Map.of("request", 700L)));
    }

    @Test
    void whatComesBehindACutBelongsToTheNextAccount() {
        BusyMeter watching = new BusyMeter(gpu, gpu::hostNs);
        watching.busy(() -> arm.enqueue(0));
        watching.cut();
        watching.enter("ahead");
        gpu.hostWorks(2600);
        watching.busy(() -> arm.enqueue(0));
        watching.busy(() -> arm.enqueue(0));

        assertThat(watching.take()).isEqualTo(new BusyMeter.Usage(2000, 0));
        assertThat(watching.take()).isEqualTo(new BusyMeter.Usage(4000, 0, Map.of("ahead", 600L)));
    }

    @Test
    void ofARunThatIsRepeatedBehindAnotherBothAreTold() {
        BusyMeter watching = new BusyMeter(gpu, gpu::hostNs);
        BusyMeter.Span refused = plugged(watching);
        watching.cut();
        watching.busy(() -> arm.enqueue(0));
        BusyMeter.Span next = plugged(watching);
        BusyMeter.Span repeated = plugged(watching);
        watching.passed(refused, 0);
        watching.passed(repeated, 2000);

        assertThat(watching.take()).as("spun, and run").isEqualTo(new BusyMeter.Usage(2000, 2000));
        watching.passed(next, 1500);
        assertThat(watching.take()).as("what stood behind the cut").isEqualTo(new BusyMeter.Usage(3500, 500));
    }

    private BusyMeter.Span plugged(BusyMeter watching) {
        BusyMeter.Span span = watching.begin();
        arm.enqueue(0);
        watching.end(span);
        return span;
    }

    @Test
    void forgets() {
        meter.busy(() -> arm.enqueue(0));
        meter.forget();

        assertThat(meter.take()).isEqualTo(new BusyMeter.Usage(0, 0));
    }

    @Test
    void whatCannotBeQueuedIsNotCounted() {
        assertThatThrownBy(() -> meter.busy(() -> {
                    throw FakeGpu.failure("cuLaunchKernelEx", 701);
                }))
                .hasMessageContaining("701");
        meter.busy(() -> arm.enqueue(0));

        assertThat(meter.take()).isEqualTo(new BusyMeter.Usage(2000, 0));
    }
}
