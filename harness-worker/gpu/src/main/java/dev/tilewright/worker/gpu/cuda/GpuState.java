package dev.tilewright.worker.gpu.cuda;

import java.util.OptionalDouble;
import java.util.OptionalLong;

/** Clock, power and heat of a GPU now; each number is empty where it cannot be read. */
public interface GpuState {

    /** Clock of the SMs, in MHz. */
    default OptionalDouble smClockMhz() {
        return OptionalDouble.empty();
    }

    /** Power that is drawn, in watts. */
    default OptionalDouble powerWatts() {
        return OptionalDouble.empty();
    }

    /** Temperature of the chip, in degrees Celsius. */
    default OptionalDouble temperatureCelsius() {
        return OptionalDouble.empty();
    }

    /** Why the clock is not higher: the bits of {@code nvmlClocksEventReasons}. */
    default OptionalLong throttleReasons() {
        return OptionalLong.empty();
    }

    /** The processes on the GPU. */
    default GpuProcesses processes() {
        return GpuProcesses.UNKNOWN;
    }

    /** A GPU of which nothing can be read. */
    GpuState UNKNOWN = new GpuState() {};
}
