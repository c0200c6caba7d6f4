package dev.tilewright.worker.gpu.cuda;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * Facts from the management library: version of the driver and the state of a GPU. Where it is absent, there is no such
 * number.
 */
public final class Nvml {

    private static final String SONAME = "libnvidia-ml.so.1";
    private static final int VERSION_BYTES = 96;

    /** {@code NVML_CLOCK_SM}. */
    private static final int SM_CLOCK = 1;

    /** {@code NVML_TEMPERATURE_GPU}. */
    private static final int GPU_TEMPERATURE = 0;

    private final NativeLibrary library;

    private Nvml(NativeLibrary library) {
        this.library = library;
    }

    /** The library, initialised; empty if it is absent or refuses. */
    public static Optional<Nvml> load() {
        return NativeLibrary.named(SONAME)
                .filter(library -> library.call("nvmlInit_v2").invoke() == 0)
                .map(Nvml::new);
    }

    /** Version of the driver, such as {@code 580.159.03}. */
    public Optional<String> driverVersion() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment version = arena.allocate(VERSION_BYTES);
            int result = library.call("nvmlSystemGetDriverVersion", JAVA_LONG, JAVA_INT)
                    .invoke(version.address(), VERSION_BYTES);
            return result == 0 ? Optional.of(version.getString(0)) : Optional.empty();
        }
    }

    /** A GPU by its {@link GpuInfo#uuid()}; empty if NVML does not know it. */
    public Optional<Device> device(String uuid) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment handle = arena.allocate(JAVA_LONG);
            int result = library.call("nvmlDeviceGetHandleByUUID", JAVA_LONG, JAVA_LONG)
                    .invoke(arena.allocateFrom(uuid).address(), handle.address());
            return result == 0 ? Optional.of(new Device(library, handle.get(JAVA_LONG, 0))) : Optional.empty();
        }
    }

    /** The state of one GPU; each number is empty if it cannot be read. */
    public static final class Device implements GpuState {
        private final long handle;
        private final NativeCall clock;
        private final NativeCall power;
        private final NativeCall temperature;
        private final NativeCall throttle;
        private final GpuProcesses processes;

        private Device(NativeLibrary library, long handle) {
            this.handle = handle;
            this.clock = library.call("nvmlDeviceGetClockInfo", JAVA_LONG, JAVA_INT, JAVA_LONG);
            this.power = library.call("nvmlDeviceGetPowerUsage", JAVA_LONG, JAVA_LONG);
            this.temperature = library.call("nvmlDeviceGetTemperature", JAVA_LONG, JAVA_INT, JAVA_LONG);
            this.throttle = library.call(throttleFunction(library), JAVA_LONG, JAVA_LONG);
            this.processes = new NvmlProcesses(library, handle);
        }

        /** The function was renamed; old drivers have the old name, new ones may lose it. */
        private static String throttleFunction(NativeLibrary library) {
            String renamed = "nvmlDeviceGetCurrentClocksEventReasons";
            return library.has(renamed) ? renamed : "nvmlDeviceGetCurrentClocksThrottleReasons";
        }

        @Override
        public OptionalDouble smClockMhz() {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment value = arena.allocate(JAVA_INT);
                return number(clock.invoke(handle, SM_CLOCK, value.address()), value);
            }
        }

        @Override
        public OptionalDouble powerWatts() {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment value = arena.allocate(JAVA_INT);
                OptionalDouble milliwatts = number(power.invoke(handle, value.address()), value);
                return milliwatts.isPresent() ? OptionalDouble.of(milliwatts.getAsDouble() / 1e3) : milliwatts;
            }
        }

        @Override
        public OptionalDouble temperatureCelsius() {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment value = arena.allocate(JAVA_INT);
                return number(temperature.invoke(handle, GPU_TEMPERATURE, value.address()), value);
            }
        }

        @Override
        public OptionalLong throttleReasons() {
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment value = arena.allocate(JAVA_LONG);
                return throttle.invoke(handle, value.address()) == 0
                        ? OptionalLong.of(value.get(JAVA_LONG, 0))
                        : OptionalLong.empty();
            }
        }

        @Override
        public GpuProcesses processes() {
            return processes;
        }

        private static OptionalDouble number(int result, MemorySegment value) {
            return result == 0
                    ? OptionalDouble.of(Integer.toUnsignedLong(value.get(JAVA_INT, 0)))
                    : OptionalDouble.empty();
        }
    }
}
