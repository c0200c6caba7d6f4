package dev.tilewright.worker.gpu.cuda;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.tilewright.worker.gpu.assembler.PtxLibrary;
import dev.tilewright.worker.link.Cubin;
import dev.tilewright.worker.link.assembler.AssemblerReply;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The assembler inside the driver, through its linker. Needs a GPU of the target and a context on it, so it runs in a
 * child that may be thrown away.
 *
 * <p>Not through JCuda: its {@code cuLinkCreate} frees the log buffers at once, while the linker writes to them until
 * it is done.
 */
public final class CudaJit implements PtxLibrary {

    /** Numbers of {@code CUjit_option}. */
    private static final int INFO_LOG_BUFFER = 3;

    private static final int INFO_LOG_BUFFER_SIZE_BYTES = 4;
    private static final int ERROR_LOG_BUFFER = 5;
    private static final int ERROR_LOG_BUFFER_SIZE_BYTES = 6;
    private static final int LOG_VERBOSE = 12;

    /** {@code CU_JIT_INPUT_PTX}. */
    private static final int INPUT_PTX = 1;

    /** {@code CUDA_ERROR_UNSUPPORTED_PTX_VERSION}. */
    private static final int UNSUPPORTED_PTX_VERSION = 222;

    private static final long LOG_BYTES = 64 << 10;

    private final int ordinal;
    private @Nullable DriverLibrary driver;
    private @Nullable GpuInfo gpu;

    /** The assembler of the driver for this GPU. */
    public CudaJit(int ordinal) {
        this.ordinal = ordinal;
    }

    @Override
    public AssemblerReply open() {
        Optional<DriverLibrary> library = DriverLibrary.load();
        if (library.isEmpty()) {
            return new AssemblerReply.Unusable(DriverLibrary.SONAME + " cannot be loaded");
        }
        try {
            DeviceQueries devices = new DeviceQueries(library.get());
            devices.initialize();
            gpu = devices.describe(ordinal);
            makeContext(library.get());
            driver = library.get();
            return new AssemblerReply.Ready(
                    Nvml.load().flatMap(Nvml::driverVersion).orElse("CUDA " + gpu.apiVersion()));
        } catch (CudaException failure) {
            return new AssemblerReply.Unusable(failure.getMessage());
        }
    }

    private void makeContext(DriverLibrary library) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment handle = arena.allocate(JAVA_LONG);
            library.check(
                    "cuDeviceGet",
                    library.call("cuDeviceGet", JAVA_LONG, JAVA_INT).invoke(handle.address(), ordinal));
            int device = handle.get(JAVA_INT, 0);
            library.check(
                    "cuDevicePrimaryCtxRetain",
                    library.call("cuDevicePrimaryCtxRetain", JAVA_LONG, JAVA_INT)
                            .invoke(handle.address(), device));
            library.check(
                    "cuCtxSetCurrent",
                    library.call("cuCtxSetCurrent", JAVA_LONG).invoke(handle.get(JAVA_LONG, 0)));
        }
    }

    @Override
    public AssemblerReply assemble(String ptx, String target) {
        if (driver == null || gpu == null) {
            throw new IllegalStateException("the driver's assembler is not open");
        }
        if (!target.equals(gpu.target()) && !(target + "a").equals(gpu.target())) {
            return new AssemblerReply.Unsupported(
                    "the driver assembles for its GPU, " + gpu.target() + ", not for " + target);
        }
        try (Arena arena = Arena.ofConfined()) {
            return new Link(driver, arena).assemble(ptx);
        }
    }

    /** One run of the linker. */
    private static final class Link {
        private final DriverLibrary driver;
        private final Arena arena;
        private final MemorySegment infoLog;
        private final MemorySegment errorLog;

        Link(DriverLibrary driver, Arena arena) {
            this.driver = driver;
            this.arena = arena;
            this.infoLog = arena.allocate(LOG_BYTES);
            this.errorLog = arena.allocate(LOG_BYTES);
        }

        @SuppressWarnings("restricted")
        AssemblerReply assemble(String ptx) {
            long state = create();
            try {
                MemorySegment text = arena.allocateFrom(ptx);
                int added = driver.call(
                                "cuLinkAddData_v2",
                                JAVA_LONG, // state
                                JAVA_INT, // kind of input
                                JAVA_LONG, // data
                                JAVA_LONG, // size
                                JAVA_LONG, // name in the log
                                JAVA_INT, // number of options
                                JAVA_LONG, // options
                                JAVA_LONG) // their values
                        .invoke(
                                state,
                                INPUT_PTX,
                                text.address(),
                                text.byteSize(),
                                arena.allocateFrom("kernel.ptx").address(),
                                0,
                                0L,
                                0L);
                if (added != 0) {
                    return refusal("cuLinkAddData", added);
                }
                MemorySegment image = arena.allocate(JAVA_LONG, 2);
                int completed = driver.call("cuLinkComplete", JAVA_LONG, JAVA_LONG, JAVA_LONG)
                        .invoke(state, image.address(), image.address() + Long.BYTES);
                if (completed != 0) {
                    return refusal("cuLinkComplete", completed);
                }
                // The image belongs to the linker and goes with it.
                byte[] cubin = MemorySegment.ofAddress(image.getAtIndex(JAVA_LONG, 0))
                        .reinterpret(image.getAtIndex(JAVA_LONG, 1))
                        .toArray(JAVA_BYTE);
                return new AssemblerReply.Assembled(new Cubin(cubin), log());
            } finally {
                driver.check(
                        "cuLinkDestroy", driver.call("cuLinkDestroy", JAVA_LONG).invoke(state));
            }
        }

        private long create() {
            MemorySegment options = arena.allocateFrom(
                    JAVA_INT,
                    INFO_LOG_BUFFER,
                    INFO_LOG_BUFFER_SIZE_BYTES,
                    ERROR_LOG_BUFFER,
                    ERROR_LOG_BUFFER_SIZE_BYTES,
                    LOG_VERBOSE);
            MemorySegment values =
                    arena.allocateFrom(JAVA_LONG, infoLog.address(), LOG_BYTES, errorLog.address(), LOG_BYTES, 1);
            MemorySegment state = arena.allocate(JAVA_LONG);
            int result = driver.call("cuLinkCreate_v2", JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG)
                    .invoke(5, options.address(), values.address(), state.address());
            driver.check("cuLinkCreate", result);
            return state.get(JAVA_LONG, 0);
        }

        private AssemblerReply refusal(String call, int result) {
            String words = call + ": " + driver.errorName(result) + "\n" + log();
            return result == UNSUPPORTED_PTX_VERSION
                    ? new AssemblerReply.Unsupported(words)
                    : new AssemblerReply.Refused(words);
        }

        private String log() {
            return (text(errorLog) + "\n" + text(infoLog)).strip();
        }

        private static String text(MemorySegment log) {
            return log.getString(0, StandardCharsets.UTF_8).strip();
        }
    }
}
