package dev.tilewright.worker.gpu.cuda;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.tilewright.launch.TensorMap;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * Launches with {@code cuLaunchKernelEx}. Parameters are encoded once, in native memory, so that queueing a launch
 * costs the host little more than the driver's own work.
 */
final class KernelLauncher {

    private final DriverLibrary driver;
    private final TensorMapEncoder maps;
    private final NativeCall launch;
    private final long stream;

    KernelLauncher(DriverLibrary driver, long stream) {
        this.driver = driver;
        this.maps = new TensorMapEncoder(driver);
        this.launch = driver.call("cuLaunchKernelEx", JAVA_LONG, JAVA_LONG, JAVA_LONG, JAVA_LONG);
        this.stream = stream;
    }

    PreparedLaunch prepare(long function, LaunchGrid grid, List<KernelArgument> parameters) {
        Arena arena = Arena.ofConfined();
        try {
            MemorySegment config = LaunchLayout.config(arena, grid, stream);
            MemorySegment pointers = arena.allocate(JAVA_LONG, Math.max(1, parameters.size()));
            for (int i = 0; i < parameters.size(); i++) {
                pointers.setAtIndex(
                        JAVA_LONG, i, encode(arena, parameters.get(i)).address());
            }
            return new Launch(arena, config.address(), function, pointers.address());
        } catch (RuntimeException refused) {
            arena.close();
            throw refused;
        }
    }

    /** A tensor map that does not travel with a launch. */
    byte[] encode(TensorMap map, long address) {
        try (Arena scratch = Arena.ofConfined()) {
            return maps.encode(scratch, map, address).toArray(JAVA_BYTE);
        }
    }

    private MemorySegment encode(Arena arena, KernelArgument parameter) {
        return switch (parameter) {
            case KernelArgument.Bits32(int value) -> arena.allocateFrom(JAVA_INT, value);
            case KernelArgument.Bits64(long value) -> arena.allocateFrom(JAVA_LONG, value);
            case KernelArgument.Bytes(byte[] content) ->
                arena.allocate(content.length, Long.BYTES).copyFrom(MemorySegment.ofArray(content));
            case KernelArgument.Map(var map, long address) -> maps.encode(arena, map, address);
        };
    }

    private final class Launch implements PreparedLaunch {
        private final Arena arena;
        private final long config;
        private final long function;
        private final long pointers;

        Launch(Arena arena, long config, long function, long pointers) {
            this.arena = arena;
            this.config = config;
            this.function = function;
            this.pointers = pointers;
        }

        @Override
        public void enqueue() {
            driver.check("cuLaunchKernelEx", launch.invoke(config, function, pointers, 0L));
        }

        @Override
        public void close() {
            arena.close();
        }
    }
}
