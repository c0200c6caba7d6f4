package dev.tilewright.worker.gpu.cuda;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.UUID;

/** Asks the driver what its devices are. Needs no context. */
record DeviceQueries(DriverLibrary driver) {

    /** Numbers of {@code CUdevice_attribute}. */
    private enum Attribute {
        MULTIPROCESSOR_COUNT(16),
        L2_CACHE_SIZE(38),
        COMPUTE_CAPABILITY_MAJOR(75),
        COMPUTE_CAPABILITY_MINOR(76),
        MAX_SHARED_MEMORY_PER_BLOCK_OPTIN(97);

        private final int id;

        Attribute(int id) {
            this.id = id;
        }
    }

    private static final int NAME_BYTES = 256;
    private static final int UUID_BYTES = 16;

    /**
     * Initialises the driver; more than once does no harm.
     *
     * @throws CudaException if it fails, {@code CUDA_ERROR_NO_DEVICE} if there is no GPU
     */
    void initialize() {
        driver.check("cuInit", driver.call("cuInit", JAVA_INT).invoke(0));
    }

    /** Number of GPUs that this process may see. */
    int count() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment count = arena.allocate(JAVA_INT);
            driver.check(
                    "cuDeviceGetCount",
                    driver.call("cuDeviceGetCount", JAVA_LONG).invoke(count.address()));
            return count.get(JAVA_INT, 0);
        }
    }

    /** Name and properties of the GPU. */
    GpuInfo describe(int ordinal) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment handle = arena.allocate(JAVA_INT);
            driver.check(
                    "cuDeviceGet",
                    driver.call("cuDeviceGet", JAVA_LONG, JAVA_INT).invoke(handle.address(), ordinal));
            int device = handle.get(JAVA_INT, 0);
            return new GpuInfo(
                    ordinal,
                    name(arena, device),
                    uuid(arena, device),
                    apiVersion(arena),
                    attribute(arena, device, Attribute.MULTIPROCESSOR_COUNT),
                    attribute(arena, device, Attribute.L2_CACHE_SIZE),
                    attribute(arena, device, Attribute.MAX_SHARED_MEMORY_PER_BLOCK_OPTIN),
                    attribute(arena, device, Attribute.COMPUTE_CAPABILITY_MAJOR),
                    attribute(arena, device, Attribute.COMPUTE_CAPABILITY_MINOR));
        }
    }

    private int attribute(Arena arena, int device, Attribute attribute) {
        MemorySegment value = arena.allocate(JAVA_INT);
        int result = driver.call("cuDeviceGetAttribute", JAVA_LONG, JAVA_INT, JAVA_INT)
                .invoke(value.address(), attribute.id, device);
        driver.check("cuDeviceGetAttribute(" + attribute + ")", result);
        return value.get(JAVA_INT, 0);
    }

    private String name(Arena arena, int device) {
        MemorySegment name = arena.allocate(NAME_BYTES);
        int result = driver.call("cuDeviceGetName", JAVA_LONG, JAVA_INT, JAVA_INT)
                .invoke(name.address(), NAME_BYTES, device);
        driver.check("cuDeviceGetName", result);
        return name.getString(0);
    }

    private String uuid(Arena arena, int device) {
        MemorySegment bytes = arena.allocate(UUID_BYTES);
        int result = driver.call("cuDeviceGetUuid", JAVA_LONG, JAVA_INT).invoke(bytes.address(), device);
        driver.check("cuDeviceGetUuid", result);
        ByteBuffer id = ByteBuffer.wrap(bytes.toArray(JAVA_BYTE));
        return "GPU-" + new UUID(id.getLong(), id.getLong());
    }

    private String apiVersion(Arena arena) {
        MemorySegment version = arena.allocate(JAVA_INT);
        int result = driver.call("cuDriverGetVersion", JAVA_LONG).invoke(version.address());
        driver.check("cuDriverGetVersion", result);
        int number = version.get(JAVA_INT, 0);
        return number / 1000 + "." + number % 1000 / 10;
    }
}
