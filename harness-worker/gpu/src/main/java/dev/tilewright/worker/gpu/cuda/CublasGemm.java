package dev.tilewright.worker.gpu.cuda;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_FLOAT;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.space.vendor.VendorEpilogue;
import dev.tilewright.space.vendor.VendorOperands;
import dev.tilewright.space.vendor.VendorScales;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * One GEMM, or a batch of one shape, by the vendor's libraries: the algorithms that cublasLt's heuristic returns, and
 * {@code cublasGemmEx}, which picks by itself. {@link VendorOperands} says what they see. Inputs of 8 bits have the
 * scales of the problem, those of tensors being 1, and are summed as our kernels sum them.
 */
public final class CublasGemm implements AutoCloseable {

    /** Workspace that cublasLt may use beside the operands. */
    private static final long WORKSPACE_BYTES = 64L << 20;

    private static final int MAX_ALGORITHMS = 64;

    /** {@code cublasLtMatmulHeuristicResult_t}: algorithm of 64 bytes, workspace, state, waves, 16 bytes reserved. */
    static final long RESULT_BYTES = 96;

    static final long RESULT_WORKSPACE = 64;
    private static final long RESULT_STATE = 72;

    /** {@code CUDA_R_32F}, {@code CUBLAS_COMPUTE_32F}. */
    private static final int F32 = 0;

    static final int COMPUTE_F32 = 68;

    /** {@code CUBLASLT_MATMUL_DESC_TRANSA, _TRANSB}, {@code CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES}. */
    private static final int TRANS_A = 3;

    private static final int TRANS_B = 4;

    /**
     * {@code CUBLASLT_MATMUL_DESC_FAST_ACCUM}, a byte: sums of 8-bit products stay in the tensor cores, and are not
     * added up elsewhere from time to time.
     */
    private static final int FAST_ACCUMULATION = 25;

    /** {@code CUBLASLT_MATMUL_DESC_EPILOGUE, _BIAS_POINTER, _BIAS_BATCH_STRIDE}; the stride counts elements. */
    private static final int EPILOGUE = 7;

    private static final int BIAS_POINTER = 8;
    private static final int BIAS_STRIDE = 10;

    private static final int MAX_WORKSPACE = 1;

    /** {@code CUBLAS_STATUS_NOT_SUPPORTED}: there is no algorithm. */
    private static final int NOT_SUPPORTED = 15;

    /** {@code CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, _STRIDED_BATCH_OFFSET}; the stride counts elements. */
    private static final int BATCH_COUNT = 5;

    private static final int BATCH_STRIDE = 6;

    private final Arena arena = Arena.ofConfined();
    private final Gpu gpu;
    private final ProblemShape shape;
    private final VendorOperands operands;
    private final int batch;
    private final CublasLibraries libraries;
    private final List<Runnable> releases = new ArrayList<>();
    private final MemorySegment alpha;
    private final MemorySegment beta;
    private final DeviceBuffer workspace;
    private final long lightHandle;
    private final long operation;
    private final long layoutA;
    private final long layoutB;
    private final long layoutD;
    private final MemorySegment results;
    private final MemorySegment set = arena.allocate(CublasAlgorithms.BYTES, Long.BYTES);
    private final CublasAlgorithms algorithms;
    private final List<Integer> usable;
    private final NativeCall matmul;
    private final Optional<CublasScales> scales;
    private final Optional<CublasGemmEx> gemmEx;

    /** Of libraries that are open. */
    CublasGemm(Gpu gpu, CublasLibraries libraries, Problem problem, OptionalLong bias) {
        if (problem.groups().stream().distinct().count() > 1) {
            throw new IllegalArgumentException(
                    "cublasLt multiplies GEMMs of one shape at once, got " + problem.shapes());
        }
        this.gpu = gpu;
        this.batch = problem.groups().size() * problem.batch();
        this.libraries = libraries;
        this.shape = problem.shape();
        this.operands = VendorOperands.of(problem);
        CublasScales.refusal(problem, version(), library()).ifPresent(reason -> {
            throw new IllegalArgumentException(reason);
        });
        VendorEpilogue epilogue = VendorEpilogue.of(problem);
        this.alpha = arena.allocateFrom(JAVA_FLOAT, epilogue.alpha());
        this.beta = arena.allocateFrom(JAVA_FLOAT, epilogue.beta());
        this.workspace = gpu.allocate(WORKSPACE_BYTES);
        releases.add(workspace::close);
        try {
            this.lightHandle = create("cublasLtCreate", "cublasLtDestroy");
            this.operation = created(
                    "cublasLtMatmulDescDestroy",
                    handle -> lt("cublasLtMatmulDescCreate", JAVA_LONG, JAVA_INT, JAVA_INT)
                            .invoke(handle, COMPUTE_F32, F32));
            attribute("cublasLtMatmulDescSetAttribute", operation, TRANS_A, operation(operands.b()));
            attribute("cublasLtMatmulDescSetAttribute", operation, TRANS_B, operation(operands.a()));
            Optional<VendorScales> modes = VendorScales.of(problem);
            if (modes.filter(VendorScales::fast).isPresent()) {
                attribute(
                        "cublasLtMatmulDescSetAttribute",
                        operation,
                        FAST_ACCUMULATION,
                        arena.allocateFrom(JAVA_BYTE, (byte) 1));
            }
            this.scales = modes.map(known -> new CublasScales(gpu, arena, libraries.lt(), operation, problem, known));
            scales.ifPresent(opened -> releases.add(opened::close));
            if (!problem.epilogue().isNone()) {
                end(epilogue, bias);
            }
            this.layoutB = layout(operands.b());
            this.layoutA = layout(operands.a());
            this.layoutD = layout(operands.d());
            this.results = arena.allocate(RESULT_BYTES * MAX_ALGORITHMS, Long.BYTES);
            this.usable = askHeuristic();
            int typeD = operands.d().type();
            this.algorithms = new CublasAlgorithms(
                    arena,
                    libraries.lt(),
                    new CublasAlgorithms.Descriptors(
                            lightHandle,
                            operation,
                            layoutB,
                            layoutA,
                            layoutD,
                            List.of(
                                    COMPUTE_F32,
                                    F32,
                                    operands.b().type(),
                                    operands.a().type(),
                                    typeD,
                                    typeD)),
                    WORKSPACE_BYTES);
            this.matmul = lt(
                    "cublasLtMatmul",
                    JAVA_LONG, // handle
                    JAVA_LONG, // operation
                    JAVA_LONG, // alpha
                    JAVA_LONG, // first operand
                    JAVA_LONG, // its layout
                    JAVA_LONG, // second operand
                    JAVA_LONG, // its layout
                    JAVA_LONG, // beta
                    JAVA_LONG, // C
                    JAVA_LONG, // its layout
                    JAVA_LONG, // D
                    JAVA_LONG, // its layout
                    JAVA_LONG, // algorithm
                    JAVA_LONG, // workspace
                    JAVA_LONG, // its size
                    JAVA_LONG); // stream
            this.gemmEx = libraries
                    .blas()
                    .filter(_ -> operands.halves()
                            && batch == 1
                            && problem.epilogue().isNone())
                    .map(blas -> new CublasGemmEx(blas, arena, gpu, shape, operands));
            gemmEx.ifPresent(opened -> releases.add(opened::close));
        } catch (RuntimeException failed) {
            close();
            throw failed;
        }
    }

    /**
     * Looks for the libraries and asks them for a problem of one GEMM, or of several of one shape, whose matrices lie
     * one behind the other.
     *
     * @param explicit path of cublasLt, if one is given
     * @param bias address of the vectors that the epilogue of the problem adds, if it adds any
     * @return empty if there is no such library here
     * @throws CudaException if the library is there but refuses
     * @throws IllegalArgumentException if it does not multiply these operands
     */
    public static Optional<CublasGemm> open(Gpu gpu, Problem problem, Optional<Path> explicit, OptionalLong bias) {
        return CublasLibraries.find(explicit).map(libraries -> new CublasGemm(gpu, libraries, problem, bias));
    }

    /**
     * Addresses of the operands of a launch.
     *
     * @param c what is added; anything if the epilogue adds none
     * @param scaleA scales of A, as is {@code scaleB} of B; anything if scales are no buffers
     */
    public record Operands(long a, long b, long c, long d, long scaleA, long scaleB) {

        /** Operands without buffers of scales. */
        public Operands(long a, long b, long c, long d) {
            this(a, b, c, d, 0, 0);
        }
    }

    /** Name and version of the library. */
    public String library() {
        return libraries.lt().name() + " " + version();
    }

    private long version() {
        return Integer.toUnsignedLong(lt("cublasLtGetVersion").invoke());
    }

    /** How many algorithms there are, perhaps none; the first is the heuristic's choice. */
    public int algorithms() {
        return usable.size();
    }

    /** Whether {@link #enqueueGemmEx} can be used. */
    public boolean hasGemmEx() {
        return gemmEx.isPresent();
    }

    /** All algorithms that the library has, beyond those that its heuristic returns. */
    public CublasAlgorithms all() {
        return algorithms;
    }

    /** Puts one launch of an algorithm that the heuristic returned into the stream; operands by address. */
    public void enqueue(int algorithm, Operands on) {
        enqueueAt(results.address() + usable.get(algorithm) * RESULT_BYTES, on);
    }

    /** The same for any that the library takes. */
    public void enqueue(CublasAlgorithm algorithm, Operands on) {
        MemorySegment.copy(algorithm.words(), 0, set, JAVA_LONG, 0, algorithm.words().length);
        enqueueAt(set.address(), on);
    }

    private void enqueueAt(long algorithm, Operands on) {
        scales.ifPresent(known -> known.of(on));
        int status = matmul.invoke(
                lightHandle,
                operation,
                alpha.address(),
                on.b,
                layoutB,
                on.a,
                layoutA,
                beta.address(),
                on.c,
                layoutD,
                on.d,
                layoutD,
                algorithm,
                workspace.address(),
                WORKSPACE_BYTES,
                gpu.stream());
        check("cublasLtMatmul", status);
    }

    /** Puts one launch of {@code cublasGemmEx} into the stream. */
    public void enqueueGemmEx(long a, long b, long d) {
        gemmEx.orElseThrow(() -> new IllegalStateException(
                        "there is no cuBLAS beside " + libraries.lt().name()))
                .enqueue(a, b, d);
    }

    private void end(VendorEpilogue epilogue, OptionalLong bias) {
        String set = "cublasLtMatmulDescSetAttribute";
        attribute(set, operation, EPILOGUE, arena.allocateFrom(JAVA_INT, epilogue.code()));
        if (bias.isPresent()) {
            attribute(set, operation, BIAS_POINTER, arena.allocateFrom(JAVA_LONG, bias.getAsLong()));
            if (batch > 1) {
                attribute(set, operation, BIAS_STRIDE, arena.allocateFrom(JAVA_LONG, shape.n()));
            }
        }
    }

    private List<Integer> askHeuristic() {
        long preference = created(
                "cublasLtMatmulPreferenceDestroy",
                handle -> lt("cublasLtMatmulPreferenceCreate", JAVA_LONG).invoke(handle));
        attribute(
                "cublasLtMatmulPreferenceSetAttribute",
                preference,
                MAX_WORKSPACE,
                arena.allocateFrom(JAVA_LONG, WORKSPACE_BYTES));
        MemorySegment count = arena.allocate(JAVA_INT);
        int status = lt(
                        "cublasLtMatmulAlgoGetHeuristic",
                        JAVA_LONG, // handle
                        JAVA_LONG, // operation
                        JAVA_LONG, // layouts of the first operand,
                        JAVA_LONG, // the second,
                        JAVA_LONG, // C
                        JAVA_LONG, // and D
                        JAVA_LONG, // preference
                        JAVA_INT, // how many are asked for
                        JAVA_LONG, // results
                        JAVA_LONG) // how many there are
                .invoke(
                        lightHandle,
                        operation,
                        layoutB,
                        layoutA,
                        layoutD,
                        layoutD,
                        preference,
                        MAX_ALGORITHMS,
                        results.address(),
                        count.address());
        if (status == NOT_SUPPORTED) {
            return List.of();
        }
        check("cublasLtMatmulAlgoGetHeuristic(" + shape + ")", status);
        List<Integer> found = new ArrayList<>();
        for (int i = 0; i < count.get(JAVA_INT, 0); i++) {
            boolean valid = results.get(JAVA_INT, i * RESULT_BYTES + RESULT_STATE) == 0;
            if (valid && results.get(JAVA_LONG, i * RESULT_BYTES + RESULT_WORKSPACE) <= WORKSPACE_BYTES) {
                found.add(i);
            }
        }
        return List.copyOf(found);
    }

    private MemorySegment operation(VendorOperands.Matrix matrix) {
        return arena.allocateFrom(JAVA_INT, CublasGemmEx.operation(matrix));
    }

    private long layout(VendorOperands.Matrix matrix) {
        long layout = created(
                "cublasLtMatrixLayoutDestroy",
                handle -> lt("cublasLtMatrixLayoutCreate", JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG, JAVA_LONG)
                        .invoke(handle, matrix.type(), matrix.rows(), matrix.columns(), matrix.rows()));
        if (batch > 1) {
            String set = "cublasLtMatrixLayoutSetAttribute";
            attribute(set, layout, BATCH_COUNT, arena.allocateFrom(JAVA_INT, batch));
            attribute(set, layout, BATCH_STRIDE, arena.allocateFrom(JAVA_LONG, matrix.rows() * matrix.columns()));
        }
        return layout;
    }

    private void attribute(String call, long object, int attribute, MemorySegment value) {
        int status = lt(call, JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG)
                .invoke(object, attribute, value.address(), value.byteSize());
        check(call, status);
    }

    private long create(String create, String destroy) {
        return created(destroy, handle -> lt(create, JAVA_LONG).invoke(handle));
    }

    /** Something that writes a handle to an address and returns a status. */
    private interface Creation {
        int at(long address);
    }

    private long created(String destroy, Creation creation) {
        MemorySegment handle = arena.allocate(JAVA_LONG);
        check(destroy.replace("Destroy", "Create"), creation.at(handle.address()));
        long value = handle.get(JAVA_LONG, 0);
        releases.add(() -> check(destroy, lt(destroy, JAVA_LONG).invoke(value)));
        return value;
    }

    private NativeCall lt(String function, ValueLayout... parameters) {
        return libraries.lt().call(function, parameters);
    }

    private static void check(String call, int status) {
        if (status != 0) {
            throw CudaException.ofLibrary(call, status);
        }
    }

    @Override
    public void close() {
        releases.reversed().forEach(Runnable::run);
        releases.clear();
        arena.close();
    }
}
