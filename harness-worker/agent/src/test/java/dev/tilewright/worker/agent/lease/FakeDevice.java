package dev.tilewright.worker.agent.lease;

import dev.tilewright.model.exchange.FinalResult;
import dev.tilewright.model.exchange.TrialResult;
import dev.tilewright.model.trial.Executed;
import dev.tilewright.model.trial.Measurement;
import dev.tilewright.model.trial.Mode;
import dev.tilewright.model.trial.Stage;
import dev.tilewright.model.trial.Testbed;
import dev.tilewright.model.trial.TestbedKind;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.worker.agent.device.DeviceUnusableException;
import dev.tilewright.worker.agent.device.FixedDevice;
import dev.tilewright.worker.agent.device.PreparedFinal;
import dev.tilewright.worker.agent.device.PreparedTrial;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** A device that runs a trial for each permit, and ends a final. */
final class FakeDevice extends FixedDevice {

    final Semaphore permits = new Semaphore(0);
    final AtomicInteger runs = new AtomicInteger();
    private final AtomicBoolean abandoned = new AtomicBoolean();
    volatile int failures;
    volatile Optional<String> uuid = Optional.empty();

    /** The fault that ends the next trial; {@code null} if it ends well. */
    volatile @Nullable Throwable fault;

    /** What came next, for each run. */
    final List<Optional<PreparedTrial>> next = new CopyOnWriteArrayList<>();

    private final @Nullable CyclicBarrier together;

    FakeDevice() {
        this("simulated:h200", null);
    }

    /** @param together where each run waits for those of other devices; {@code null} if it does not */
    FakeDevice(String label, @Nullable CyclicBarrier together) {
        super(label, new Testbed(TestbedKind.SIMULATED, label, "1", "fake 1.0", 132, "model"));
        this.together = together;
    }

    @Override
    public Optional<String> uuid() {
        return uuid;
    }

    @Override
    public TrialResult run(PreparedTrial trial, @Nullable PreparedTrial coming) throws DeviceUnusableException {
        next.add(Optional.ofNullable(coming));
        return run(trial);
    }

    private void meet() {
        try {
            if (together != null) {
                together.await();
            }
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
        } catch (BrokenBarrierException over) {
            throw new IllegalStateException(over);
        }
    }

    @Override
    public TrialResult run(PreparedTrial trial) throws DeviceUnusableException {
        permits.acquireUninterruptibly();
        if (abandoned.getAndSet(false)) {
            throw new CancellationException("abandoned");
        }
        meet();
        switch (fault) {
            case Error error -> throw error;
            case RuntimeException failure -> throw failure;
            case null, default -> runs.incrementAndGet();
        }
        if (failures > 0) {
            failures--;
            throw new DeviceUnusableException("the GPU fell off the bus");
        }
        return new TrialResult(
                TrialOutcome.COMPLETED,
                null,
                new Executed(132, 1, 384),
                List.of(new Measurement(Mode.SUSTAINED, Stage.SCREEN, 1, 1, 1e4, null, null, null)),
                null,
                null,
                Map.of("measure", 1L),
                "");
    }

    @Override
    public FinalResult runFinal(PreparedFinal work, Runnable raced) {
        FinalResult result = super.runFinal(work, raced);
        permits.acquireUninterruptibly();
        return result;
    }

    @Override
    public void renew() {
        abandoned.set(false);
    }

    @Override
    public void abandon() {
        abandoned.set(true);
        permits.release();
    }

    @Override
    public void close() {
        permits.release(1000);
    }
}
