package dev.tilewright.worker.gpu.measure;

import dev.tilewright.worker.gpu.cuda.Gpu;
import dev.tilewright.worker.gpu.cuda.GpuEvent;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** Events that are used again and again: making one takes its time. */
final class EventPool implements AutoCloseable {

    private final Gpu gpu;
    private final List<GpuEvent> all = new ArrayList<>();
    private final Deque<GpuEvent> free = new ArrayDeque<>();

    EventPool(Gpu gpu) {
        this.gpu = gpu;
    }

    /** An event for the caller alone, until it is given back. */
    GpuEvent take() {
        GpuEvent event = free.pollLast();
        if (event == null) {
            event = gpu.event();
            all.add(event);
        }
        return event;
    }

    void give(GpuEvent event) {
        free.addLast(event);
    }

    @Override
    public void close() {
        all.forEach(GpuEvent::close);
    }
}
