package dev.tilewright.worker.measure;

import dev.tilewright.worker.device.cuda.Gpu;
import dev.tilewright.worker.device.cuda.GpuEvent;
import java.util.ArrayList;
import java.util.List;

/** Events by their number, made when they are first asked for and used again afterwards: making one takes its time. */
final class EventPool implements AutoCloseable {

    private final Gpu gpu;
    private final List<GpuEvent> events = new ArrayList<>();

    EventPool(Gpu gpu) {
        this.gpu = gpu;
    }

    GpuEvent get(int index) {
        while (events.size() <= index) {
            events.add(gpu.event());
        }
        return events.get(index);
    }

    @Override
    public void close() {
        events.forEach(GpuEvent::close);
    }
}
