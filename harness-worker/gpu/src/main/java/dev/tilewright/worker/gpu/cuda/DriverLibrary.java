package dev.tilewright.worker.gpu.cuda;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Optional;

/** The driver's library, {@code libcuda.so.1}, as {@code java.lang.foreign} sees it. Signatures are those of cuda.h. */
final class DriverLibrary {

    static final String SONAME = "libcuda.so.1";

    private final NativeLibrary library;
    private final NativeCall getErrorName;

    private DriverLibrary(NativeLibrary library) {
        this.library = library;
        this.getErrorName = library.call("cuGetErrorName", JAVA_INT, JAVA_LONG);
    }

    /** The driver's library, if the loader finds it. */
    static Optional<DriverLibrary> load() {
        return NativeLibrary.named(SONAME).map(DriverLibrary::new);
    }

    NativeCall call(String function, ValueLayout... parameters) {
        return library.call(function, parameters);
    }

    /**
     * Refuses a result other than {@code CUDA_SUCCESS}.
     *
     * @throws CudaException with the name of the result
     */
    void check(String call, int result) {
        if (result != 0) {
            throw CudaException.ofDriver(call, result, errorName(result));
        }
    }

    /** Name of a result, such as {@code CUDA_ERROR_LAUNCH_FAILED}. */
    @SuppressWarnings("restricted")
    String errorName(int result) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment name = arena.allocate(JAVA_LONG);
            if (getErrorName.invoke(result, name.address()) != 0) {
                return "unknown result";
            }
            long address = name.get(JAVA_LONG, 0);
            return MemorySegment.ofAddress(address).reinterpret(256).getString(0);
        }
    }
}
