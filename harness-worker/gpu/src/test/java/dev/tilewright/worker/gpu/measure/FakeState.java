package dev.tilewright.worker.gpu.measure;

import dev.tilewright.worker.gpu.cuda.GpuState;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.function.LongSupplier;

/** A GPU at 1500 MHz that is throttled as the test says. */
record FakeState(LongSupplier reasons) implements GpuState {

    @Override
    public OptionalDouble smClockMhz() {
        return OptionalDouble.of(1500);
    }

    @Override
    public OptionalDouble powerWatts() {
        return OptionalDouble.of(700);
    }

    @Override
    public OptionalDouble temperatureCelsius() {
        return OptionalDouble.of(60);
    }

    @Override
    public OptionalLong throttleReasons() {
        return OptionalLong.of(reasons.getAsLong());
    }
}
