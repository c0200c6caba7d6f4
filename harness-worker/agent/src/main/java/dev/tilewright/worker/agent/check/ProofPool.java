package dev.tilewright.worker.agent.check;

import dev.tilewright.model.exchange.DeviceSelector;
import dev.tilewright.model.exchange.TrialResult;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.worker.agent.device.Device;
import dev.tilewright.worker.agent.device.DeviceUnusableException;
import dev.tilewright.worker.agent.device.PreparedTrial;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/** Emulated devices that prove side by side. Each is a process of its own, started when it is first needed. */
public final class ProofPool implements AutoCloseable {

    /** Each device may take 2 GiB of memory. */
    private static final int MAX_DEVICES = 8;

    /** Opens an emulated device. */
    @FunctionalInterface
    public interface Source {
        Device open(int sms) throws DeviceUnusableException;
    }

    private final Source source;
    private final ExecutorService threads;
    /** By their number of SMs. */
    private final Map<Integer, Queue<Device>> idle = new ConcurrentHashMap<>();

    private volatile boolean closed;

    /** @param size how many devices at most */
    public ProofPool(Source source, int size) {
        this.source = source;
        this.threads = Executors.newFixedThreadPool(
                size, Thread.ofPlatform().name("check-", 0).daemon().factory());
    }

    /** How many devices suit a machine: half of the cores, the others build and assemble. */
    public static int sizeFor(int cores) {
        return Math.clamp(cores / 2, 1, MAX_DEVICES);
    }

    /**
     * Proves one trial after the other on each device. The future never completes exceptionally.
     *
     * @param clusterSize CTAs of a cluster; the device has at least as many SMs
     */
    public CompletableFuture<TrialResult> prove(PreparedTrial trial, int clusterSize) {
        try {
            return CompletableFuture.supplyAsync(
                            () -> proved(trial, Math.max(DeviceSelector.Emulated.DEFAULT_SMS, clusterSize)), threads)
                    .exceptionally(bug -> failed("the check failed: " + cause(bug)));
        } catch (RejectedExecutionException stopping) {
            return CompletableFuture.completedFuture(failed("the worker is stopping"));
        }
    }

    private TrialResult proved(PreparedTrial trial, int sms) {
        @Nullable Device device = idle(sms).poll();
        try {
            device = device == null ? source.open(sms) : device;
            return device.run(trial);
        } catch (DeviceUnusableException outOfOrder) {
            return failed("the emulator cannot be used: " + outOfOrder.getMessage());
        } finally {
            release(device, sms);
        }
    }

    private Queue<Device> idle(int sms) {
        return idle.computeIfAbsent(sms, _ -> new ConcurrentLinkedQueue<>());
    }

    private void release(@Nullable Device device, int sms) {
        if (device == null) {
            return;
        }
        if (closed) {
            device.close();
        } else {
            idle(sms).add(device);
        }
    }

    private static TrialResult failed(String why) {
        return TrialResult.failed(TrialOutcome.INFRASTRUCTURE, why);
    }

    private static Throwable cause(Throwable failure) {
        return failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
    }

    /** Takes no more texts and ends the idle devices. A device at work ends when its text is done. */
    @Override
    public void close() {
        closed = true;
        threads.shutdownNow();
        for (Queue<Device> devices : idle.values()) {
            for (Device device = devices.poll(); device != null; device = devices.poll()) {
                device.close();
            }
        }
    }
}
