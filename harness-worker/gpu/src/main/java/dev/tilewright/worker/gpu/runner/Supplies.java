package dev.tilewright.worker.gpu.runner;

import dev.tilewright.worker.gpu.cuda.DeviceBuffer;
import dev.tilewright.worker.gpu.cuda.Gpu;
import dev.tilewright.worker.gpu.cuda.GpuEvent;
import dev.tilewright.worker.gpu.cuda.GpuModule;
import dev.tilewright.worker.gpu.cuda.HostBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Memory and modules that pass from one trial to the next. To free memory or to unload a module waits for the GPU, so
 * memory is kept for the next trial, and modules are collected and unloaded many at a time.
 */
final class Supplies {

    private static final long GRAIN_BYTES = 4096;

    /** Memory that is kept at the most; what a trial gives back beyond that is freed. */
    private static final long MOST_KEPT_BYTES = 64L << 20;

    private static final int MAX_MODULES = 32;

    private final Gpu gpu;
    private final Map<Long, Deque<DeviceBuffer>> kept = new HashMap<>();
    private final List<GpuModule> modules = new ArrayList<>();
    private long keptBytes;
    private @Nullable HostBuffer host;
    private @Nullable GpuEvent filled;

    Supplies(Gpu gpu) {
        this.gpu = gpu;
    }

    /** Memory on the device with anything in it; closing gives it back. */
    DeviceBuffer allocate(long bytes) {
        long size = Math.ceilDiv(bytes, GRAIN_BYTES) * GRAIN_BYTES;
        DeviceBuffer found = kept.computeIfAbsent(size, _ -> new ArrayDeque<>()).pollLast();
        if (found != null) {
            keptBytes -= size;
        }
        return new Lent(this, found == null ? gpu.allocate(size) : found, bytes);
    }

    private record Lent(Supplies supplies, DeviceBuffer memory, long bytes) implements DeviceBuffer {
        @Override
        public long address() {
            return memory.address();
        }

        @Override
        public void close() {
            supplies.take(memory);
        }
    }

    private void take(DeviceBuffer memory) {
        if (keptBytes + memory.bytes() > MOST_KEPT_BYTES) {
            memory.close();
            return;
        }
        keptBytes += memory.bytes();
        kept.computeIfAbsent(memory.bytes(), _ -> new ArrayDeque<>()).addLast(memory);
    }

    /** Host memory of at least this size; whoever had it before is done with it. */
    HostBuffer host(long bytes) {
        HostBuffer current = host;
        if (current == null || current.bytes() < bytes) {
            if (current != null) {
                current.close();
            }
            current = gpu.hostBuffer(Math.max(GRAIN_BYTES, Long.highestOneBit(2 * bytes - 1)));
            host = current;
        }
        return current;
    }

    /** An event for whoever has that host memory: it tells when the device has filled it. */
    GpuEvent filled() {
        GpuEvent event = filled;
        if (event == null) {
            event = gpu.event();
            filled = event;
        }
        return event;
    }

    /** A module that is not used any more. */
    void leave(GpuModule module) {
        modules.add(module);
    }

    /** Whether so many modules are left over that they should be unloaded. */
    boolean isFull() {
        return modules.size() >= MAX_MODULES;
    }

    /** Unloads the modules that were left. */
    void clear() {
        modules.forEach(GpuModule::close);
        modules.clear();
    }
}
