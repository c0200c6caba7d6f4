package dev.tilewright.worker.lease;

import dev.tilewright.gemm.space.DeviceLimits;
import dev.tilewright.model.trial.Executed;
import dev.tilewright.model.trial.Measurement;
import dev.tilewright.model.trial.Mode;
import dev.tilewright.model.trial.Stage;
import dev.tilewright.model.trial.Testbed;
import dev.tilewright.model.trial.TestbedKind;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.worker.device.Device;
import dev.tilewright.worker.device.DeviceUnusableException;
import dev.tilewright.worker.device.FinalResult;
import dev.tilewright.worker.device.PreparedFinal;
import dev.tilewright.worker.device.PreparedTrial;
import dev.tilewright.worker.device.TrialResult;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/** A device that runs a trial for each permit. */
final class FakeDevice implements Device {

    final Semaphore permits = new Semaphore(0);
    final AtomicInteger runs = new AtomicInteger();
    volatile int failures;

    @Override
    public String label() {
        return "simulated:h200";
    }

    @Override
    public Testbed testbed() {
        return new Testbed(TestbedKind.SIMULATED, "h200", "1", "fake 1.0", 132, "model");
    }

    @Override
    public DeviceLimits limits() {
        return DeviceLimits.of(132);
    }

    @Override
    public boolean needsTracedTwin() {
        return false;
    }

    @Override
    public TrialResult run(PreparedTrial trial) throws DeviceUnusableException {
        permits.acquireUninterruptibly();
        runs.incrementAndGet();
        if (failures > 0) {
            failures--;
            throw new DeviceUnusableException("the GPU fell off the bus");
        }
        return new TrialResult(
                TrialOutcome.COMPLETED,
                null,
                new Executed(132, 1, 384),
                List.of(new Measurement(Mode.SUSTAINED, Stage.SCREEN, 1, 1, 1e4, null, null, 300, null)),
                null,
                null,
                Map.of("measure", 1L),
                "");
    }

    @Override
    public FinalResult runFinal(PreparedFinal work) {
        return new FinalResult(List.of(), List.of(), List.of(), work.arms().size() + " arms");
    }

    @Override
    public void close() {
        permits.release(1000);
    }
}
