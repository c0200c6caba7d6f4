package dev.tilewright.worker.gpu.cuda;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import dev.tilewright.space.vendor.VendorAlgorithm;
import dev.tilewright.space.vendor.VendorCapability;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * All algorithms of cublasLt for one problem, beyond those that its heuristic returns: the library names them and what
 * each can be set to, and says of each setting whether it takes it. Numbers are those of {@code cublasLt.h}.
 */
public final class CublasAlgorithms {

    /** {@code cublasLtMatmulAlgo_t}. */
    static final long BYTES = 64;

    private static final int MOST_IDS = 256;
    private static final int MOST_VALUES = 1024;

    /** {@code CUBLASLT_ALGO_CAP_SPLITK_SUPPORT} and the others that are read here. */
    private static final int CAP_SPLIT = 0;

    private static final int CAP_REDUCTIONS = 1;
    private static final int CAP_SWIZZLES = 2;
    private static final int CAP_TILES = 6;
    private static final int CAP_CUSTOM = 7;
    private static final int CAP_STAGES = 13;

    /** {@code CUBLASLT_ALGO_CONFIG_ID} is set with the algorithm; the attributes behind it follow it without a gap. */
    private static final int FIRST_ATTRIBUTE = 1;

    /** The attributes of a setting, the id included. */
    private static final int ATTRIBUTES = VendorAlgorithm.NAMES.size();

    /**
     * The problem as the library has it.
     *
     * @param types of computing, scaling, the two operands, C and D
     */
    record Descriptors(long handle, long operation, long first, long second, long result, List<Integer> types) {}

    private final Arena arena;
    private final Descriptors problem;
    private final long workspaceBytes;
    private final NativeCall getIds;
    private final NativeCall init;
    private final NativeCall capability;
    private final NativeCall set;
    private final NativeCall check;
    private final MemorySegment scratch;
    private final MemorySegment value;
    private final MemorySegment checked;

    CublasAlgorithms(Arena arena, NativeLibrary lt, Descriptors problem, long workspaceBytes) {
        this.arena = arena;
        this.problem = problem;
        this.workspaceBytes = workspaceBytes;
        this.scratch = arena.allocate(BYTES, Long.BYTES);
        this.value = arena.allocate(JAVA_INT);
        this.checked = arena.allocate(CublasGemm.RESULT_BYTES, Long.BYTES);
        this.getIds = lt.call("cublasLtMatmulAlgoGetIds", typed(JAVA_INT, JAVA_LONG, JAVA_LONG));
        this.init = lt.call("cublasLtMatmulAlgoInit", typed(JAVA_INT, JAVA_LONG));
        this.capability = lt.call(
                "cublasLtMatmulAlgoCapGetAttribute",
                JAVA_LONG, // algorithm
                JAVA_INT, // attribute
                JAVA_LONG, // buffer
                JAVA_LONG, // its bytes
                JAVA_LONG); // how many were written
        this.set = lt.call("cublasLtMatmulAlgoConfigSetAttribute", JAVA_LONG, JAVA_INT, JAVA_LONG, JAVA_LONG);
        this.check = lt.call(
                "cublasLtMatmulAlgoCheck",
                JAVA_LONG, // handle
                JAVA_LONG, // operation
                JAVA_LONG, // layouts of the first operand,
                JAVA_LONG, // the second,
                JAVA_LONG, // C
                JAVA_LONG, // and D
                JAVA_LONG, // algorithm
                JAVA_LONG); // result
    }

    /** The handle and the six types, then what the call has of its own. */
    private static ValueLayout[] typed(ValueLayout... own) {
        List<ValueLayout> all = new ArrayList<>(List.of(JAVA_LONG));
        all.addAll(List.of(JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT, JAVA_INT));
        all.addAll(List.of(own));
        return all.toArray(ValueLayout[]::new);
    }

    private Object[] typed(Object... own) {
        List<Object> all = new ArrayList<>();
        all.add(problem.handle());
        all.addAll(problem.types());
        all.addAll(List.of(own));
        return all.toArray();
    }

    /** The settings of each algorithm for the types of the problem. */
    public List<VendorCapability> capabilities() {
        MemorySegment ids = arena.allocate(JAVA_INT, MOST_IDS);
        MemorySegment count = arena.allocate(JAVA_INT);
        int status = getIds.invoke(typed(MOST_IDS, ids.address(), count.address()));
        if (status != 0) {
            throw CudaException.ofLibrary("cublasLtMatmulAlgoGetIds", status);
        }
        return IntStream.range(0, count.get(JAVA_INT, 0))
                .map(i -> ids.getAtIndex(JAVA_INT, i))
                .sorted()
                .boxed()
                .flatMap(id -> capability(id).stream())
                .toList();
    }

    private Optional<VendorCapability> capability(int id) {
        if (init.invoke(typed(id, scratch.address())) != 0) {
            return Optional.empty();
        }
        return Optional.of(new VendorCapability(
                id,
                many(CAP_TILES),
                many(CAP_STAGES),
                one(CAP_SPLIT) != 0,
                one(CAP_REDUCTIONS),
                one(CAP_SWIZZLES),
                one(CAP_CUSTOM)));
    }

    /** The ids that an attribute lists; 0, which leaves it to the algorithm, if it lists none. */
    private List<Integer> many(int attribute) {
        MemorySegment values = arena.allocate(JAVA_INT, MOST_VALUES);
        MemorySegment written = arena.allocate(JAVA_LONG);
        int status =
                capability.invoke(scratch.address(), attribute, values.address(), values.byteSize(), written.address());
        long count = status == 0 ? written.get(JAVA_LONG, 0) / Integer.BYTES : 0;
        return count == 0
                ? List.of(0)
                : IntStream.range(0, (int) count)
                        .mapToObj(i -> values.getAtIndex(JAVA_INT, i))
                        .toList();
    }

    private int one(int attribute) {
        MemorySegment written = arena.allocate(JAVA_LONG);
        value.set(JAVA_INT, 0, 0);
        int status = capability.invoke(
                scratch.address(), attribute, value.address(), (long) Integer.BYTES, written.address());
        return status == 0 ? value.get(JAVA_INT, 0) : 0;
    }

    /** The library's answer to a setting. */
    public sealed interface Setting {

        /** The algorithm, for {@link CublasGemm#enqueue(CublasAlgorithm, long, long, long)}. */
        record Taken(CublasAlgorithm algorithm) implements Setting {}

        /** The library refuses it for the problem, or it needs more workspace than there is. */
        record Refused(String reason) implements Setting {}

        /** The algorithm; empty if it is refused. */
        default Optional<CublasAlgorithm> taken() {
            return this instanceof Taken(CublasAlgorithm algorithm) ? Optional.of(algorithm) : Optional.empty();
        }
    }

    /**
     * Sets an algorithm.
     *
     * @param attributes nine numbers, {@code CUBLASLT_ALGO_CONFIG_ID} to {@code CUBLASLT_ALGO_CONFIG_CLUSTER_SHAPE_ID}
     */
    public Setting set(List<Integer> attributes) {
        if (attributes.size() != ATTRIBUTES) {
            throw new IllegalArgumentException("an algorithm has " + ATTRIBUTES + " attributes, got " + attributes);
        }
        int made = init.invoke(typed(attributes.getFirst(), scratch.address()));
        if (made != 0) {
            return new Setting.Refused(
                    "cublasLtMatmulAlgoInit of algorithm " + attributes.getFirst() + ": " + status(made));
        }
        for (int attribute = FIRST_ATTRIBUTE; attribute < ATTRIBUTES; attribute++) {
            value.set(JAVA_INT, 0, attributes.get(attribute));
            long bytes = attribute < VendorAlgorithm.FIRST_OF_16_BITS ? Integer.BYTES : Short.BYTES;
            int status = set.invoke(scratch.address(), attribute, value.address(), bytes);
            if (status != 0) {
                return new Setting.Refused("cublasLtMatmulAlgoConfigSetAttribute of attribute " + attribute + " to "
                        + attributes.get(attribute) + ": " + status(status));
            }
        }
        int status = check.invoke(
                problem.handle(),
                problem.operation(),
                problem.first(),
                problem.second(),
                problem.result(),
                problem.result(),
                scratch.address(),
                checked.address());
        if (status != 0) {
            return new Setting.Refused("cublasLtMatmulAlgoCheck: " + status(status));
        }
        long workspace = checked.get(JAVA_LONG, CublasGemm.RESULT_WORKSPACE);
        return workspace > workspaceBytes
                ? new Setting.Refused(
                        "it needs " + workspace + " bytes of workspace, more than the " + workspaceBytes + " there are")
                : new Setting.Taken(new CublasAlgorithm(scratch.toArray(JAVA_LONG)));
    }

    /** {@code cublasStatus_t}. */
    private static String status(int status) {
        return switch (status) {
            case 7 -> "CUBLAS_STATUS_INVALID_VALUE (7)";
            case 8 -> "CUBLAS_STATUS_ARCH_MISMATCH (8)";
            case 14 -> "CUBLAS_STATUS_INTERNAL_ERROR (14)";
            case 15 -> "CUBLAS_STATUS_NOT_SUPPORTED (15)";
            default -> "status " + status;
        };
    }
}
