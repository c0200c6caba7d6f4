package dev.tilewright.worker.gpu.cuda;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.tilewright.model.problem.Problem;
import dev.tilewright.space.vendor.VendorScales;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * The scales of inputs of 8 bits, as an operation of cublasLt knows them: their modes, and addresses, which the library
 * reads when a launch is put into the stream. The library has no algorithm with scales of rows or blocks before it is
 * told some addresses; until a launch has its own they are those of a scale of 1.
 */
final class CublasScales implements AutoCloseable {

    /** {@code CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, _B_SCALE_POINTER}; theirs of A is ours of B. */
    private static final int POINTER_B = 17;

    private static final int POINTER_A = 18;

    /** {@code CUBLASLT_MATMUL_DESC_A_SCALE_MODE, _B_SCALE_MODE}. */
    private static final int MODE_B = 31;

    private static final int MODE_A = 32;

    private static final String SET = "cublasLtMatmulDescSetAttribute";

    private final NativeCall set;
    private final long operation;
    private final boolean areBuffers;
    private final MemorySegment value;
    private final DeviceBuffer one;

    /**
     * Of an operation, which is told them.
     *
     * @param arena open as long as launches are put into the stream
     */
    CublasScales(Gpu gpu, Arena arena, NativeLibrary lt, long operation, Problem problem, VendorScales modes) {
        this.set = lt.call(SET, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG);
        this.operation = operation;
        this.areBuffers = problem.scales().areBuffers();
        this.value = arena.allocate(JAVA_LONG);
        this.one = gpu.allocate(Float.BYTES);
        try {
            gpu.fill(one.address(), Float.floatToRawIntBits(1), Float.BYTES);
            if (areBuffers) {
                mode(MODE_B, modes.b());
                mode(MODE_A, modes.a());
            }
            at(one.address(), one.address());
        } catch (RuntimeException failed) {
            close();
            throw failed;
        }
    }

    /** Why a library has no such scales, or no kernel with them for the problem; empty if it may. */
    static Optional<String> refusal(Problem problem, long version, String library) {
        return VendorScales.refusal(problem)
                .or(() -> problem.scales().areBuffers() && version < VendorScales.FIRST_VERSION
                        ? Optional.of("scales = " + problem.scales() + ": " + library
                                + " has scales of tensors alone; version " + VendorScales.FIRST_VERSION
                                + " is the first with others")
                        : Optional.empty());
    }

    /** Tells the addresses of a launch, where scales are buffers. */
    void of(CublasGemm.Operands on) {
        if (areBuffers) {
            at(on.scaleA(), on.scaleB());
        }
    }

    private void at(long a, long b) {
        value.set(JAVA_LONG, 0, b);
        set(POINTER_B, Long.BYTES);
        value.set(JAVA_LONG, 0, a);
        set(POINTER_A, Long.BYTES);
    }

    private void mode(int attribute, int mode) {
        value.set(JAVA_INT, 0, mode);
        set(attribute, Integer.BYTES);
    }

    private void set(int attribute, long bytes) {
        int status = set.invoke(operation, attribute, value.address(), bytes);
        if (status != 0) {
            throw CudaException.ofLibrary(SET, status);
        }
    }

    @Override
    public void close() {
        one.close();
    }
}
