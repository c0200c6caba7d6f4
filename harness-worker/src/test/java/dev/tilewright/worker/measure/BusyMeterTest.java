package dev.tilewright.worker.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.worker.device.cuda.FakeGpu;
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
        BusyMeter.Span gated = meter.begin();
        arm.enqueue(0);
        meter.end(gated);
        meter.passed(gated, 1500);

        assertThat(meter.take()).as("of the last span somebody says what it was").isEqualTo(new BusyMeter.Usage(7500, 500));
        assertThat(meter.take()).as("begins anew").isEqualTo(new BusyMeter.Usage(0, 0));
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
