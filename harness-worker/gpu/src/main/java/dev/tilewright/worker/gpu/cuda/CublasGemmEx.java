package dev.tilewright.worker.gpu.cuda;

import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.space.vendor.VendorOperands;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** One GEMM of 16-bit inputs by cuBLAS proper, which picks its kernel by itself. */
final class CublasGemmEx implements AutoCloseable {

    /** {@code CUBLAS_OP_N}, {@code CUBLAS_OP_T}. */
    private static final int AS_IT_IS = 0;

    private static final int TRANSPOSED = 1;

    /** {@code CUBLAS_GEMM_DEFAULT}. */
    private static final int GEMM_DEFAULT = -1;

    private final NativeLibrary blas;
    private final ProblemShape shape;
    private final VendorOperands operands;
    private final MemorySegment one;
    private final MemorySegment zero;
    private final long handle;
    private final NativeCall gemm;

    /** @param arena of what it hands to the library; open as long as it is in use */
    CublasGemmEx(NativeLibrary blas, Arena arena, Gpu gpu, ProblemShape shape, VendorOperands operands) {
        this.blas = blas;
        this.shape = shape;
        this.operands = operands;
        this.one = arena.allocateFrom(JAVA_FLOAT, 1);
        this.zero = arena.allocateFrom(JAVA_FLOAT, 0);
        MemorySegment created = arena.allocate(JAVA_LONG);
        check("cublasCreate", blas.call("cublasCreate_v2", JAVA_LONG).invoke(created.address()));
        this.handle = created.get(JAVA_LONG, 0);
        try {
            check(
                    "cublasSetStream",
                    blas.call("cublasSetStream_v2", JAVA_LONG, JAVA_LONG).invoke(handle, gpu.stream()));
            this.gemm = blas.call(
                    "cublasGemmEx",
                    JAVA_LONG, // handle
                    JAVA_INT, // operation on the first operand
                    JAVA_INT, // on the second
                    JAVA_INT, // rows of the result
                    JAVA_INT, // its columns
                    JAVA_INT, // inner extent
                    JAVA_LONG, // alpha
                    JAVA_LONG, // first operand
                    JAVA_INT, // type
                    JAVA_INT, // leading dimension
                    JAVA_LONG, // second operand
                    JAVA_INT, // type
                    JAVA_INT, // leading dimension
                    JAVA_LONG, // beta
                    JAVA_LONG, // result
                    JAVA_INT, // type
                    JAVA_INT, // leading dimension
                    JAVA_INT, // type of the accumulation
                    JAVA_INT); // algorithm
        } catch (RuntimeException failed) {
            close();
            throw failed;
        }
    }

    /** How the libraries are told that they take a matrix as its transpose, or as it is. */
    static int operation(VendorOperands.Matrix matrix) {
        return matrix.transposed() ? TRANSPOSED : AS_IT_IS;
    }

    /** Puts one launch into the stream; operands by address. */
    void enqueue(long a, long b, long d) {
        int status = gemm.invoke(
                handle,
                operation(operands.b()),
                operation(operands.a()),
                shape.n(),
                shape.m(),
                shape.k(),
                one.address(),
                b,
                operands.b().type(),
                (int) operands.b().rows(),
                a,
                operands.a().type(),
                (int) operands.a().rows(),
                zero.address(),
                d,
                operands.d().type(),
                (int) operands.d().rows(),
                CublasGemm.COMPUTE_F32,
                GEMM_DEFAULT);
        check("cublasGemmEx", status);
    }

    private static void check(String call, int status) {
        if (status != 0) {
            throw CudaException.ofLibrary(call, status);
        }
    }

    @Override
    public void close() {
        check("cublasDestroy", blas.call("cublasDestroy_v2", JAVA_LONG).invoke(handle));
    }
}
