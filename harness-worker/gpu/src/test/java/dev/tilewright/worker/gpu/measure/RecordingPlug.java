package dev.tilewright.worker.gpu.measure;

import dev.tilewright.worker.gpu.cuda.FakeGpu;
import java.util.function.BooleanSupplier;

/** Writes into the history of the fake GPU. */
record RecordingPlug(FakeGpu gpu, BooleanSupplier holds) implements StreamPlug {

    @Override
    public Inserted insert() {
        gpu.history.add("shut");
        return new Inserted() {
            @Override
            public void pull() {
                gpu.history.add("open");
            }

            @Override
            public boolean held() {
                return holds.getAsBoolean();
            }
        };
    }
}
