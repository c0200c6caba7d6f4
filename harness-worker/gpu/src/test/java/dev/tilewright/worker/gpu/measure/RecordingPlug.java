package dev.tilewright.worker.gpu.measure;

import dev.tilewright.worker.gpu.cuda.FakeGpu;
import java.util.function.BooleanSupplier;

/** Writes into the history of the fake GPU. */
record RecordingGate(FakeGpu gpu, BooleanSupplier holds) implements Gate {

    @Override
    public Passage shut() {
        gpu.history.add("shut");
        return new Passage() {
            @Override
            public void open() {
                gpu.history.add("open");
            }

            @Override
            public boolean held() {
                return holds.getAsBoolean();
            }
        };
    }
}
