package dev.tilewright.worker.gpu.cuda;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.tilewright.space.vendor.VendorScales;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * The scales of inputs of 8 bits, as an operation of cublasLt knows them. The library reads the addresses of an
 * operation when a launch is put into the stream.
 */
final class CublasScales {

    /** {@code CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, _B_SCALE_POINTER}; theirs of A is ours of B. */
    private static final int POINTER_B = 17;

    private static final int POINTER_A = 18;

    /** {@code CUBLASLT_MATMUL_DESC_A_SCALE_MODE, _B_SCALE_MODE}. */
    private static final int MODE_B = 31;

    private static final int MODE_A = 32;

    private static final String SET = "cublasLtMatmulDescSetAttribute";

    private final NativeCall set;
    private final long operation;
    private final MemorySegment value;

    /**
     * Of an operation, which is told the modes; a library of before {@link VendorScales#FIRST_VERSION} knows none.
     *
     * @param arena open as long as launches are put into the stream
     */
    CublasScales(Arena arena, NativeLibrary lt, long operation, VendorScales modes) {
        this.set = lt.call(SET, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG);
        this.operation = operation;
        this.value = arena.allocate(JAVA_LONG);
        mode(MODE_B, modes.b());
        mode(MODE_A, modes.a());
    }

    private void mode(int attribute, int mode) {
        if (mode != VendorScales.SCALAR) {
            value.set(JAVA_INT, 0, mode);
            set(attribute, Integer.BYTES);
        }
    }

    /** The scales of the launches from here on, by address. */
    void at(long a, long b) {
        pointer(POINTER_B, b);
        pointer(POINTER_A, a);
    }

    private void pointer(int attribute, long address) {
        value.set(JAVA_LONG, 0, address);
        set(attribute, Long.BYTES);
    }

    private void set(int attribute, long bytes) {
        int status = set.invoke(operation, attribute, value.address(), bytes);
        if (status != 0) {
            throw CudaException.ofLibrary(SET, status);
        }
    }
}
