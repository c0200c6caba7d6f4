package dev.tilewright.worker.gpu.cuda;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemoryLayout;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * A cublasLt of the test's own, called as the real one is: through the linker, with addresses. It has algorithm 66 with
 * the tiles 20 and 23, and algorithm 21, which it cannot make. It takes tile 23 for every problem and 20 for none.
 */
final class ScriptedCublas {

    /** The version that it says it has. */
    int version = 130_100;

    private static final int NOT_SUPPORTED = 15;
    private static final int INVALID = 7;

    /** The attributes of an operation on scales. */
    private static final Set<Integer> SCALES = Set.of(17, 18, 31, 32);

    /** Calls by name with the numbers that are no addresses. */
    final List<String> calls = new ArrayList<>();

    private final Map<String, MemorySegment> functions = new HashMap<>();
    private final Map<Long, List<Integer>> settings = new HashMap<>();
    private final Map<Integer, Long> scales = new TreeMap<>();
    private long handles = 0x1000;
    private long workspace;

    ScriptedCublas(Arena arena) {
        for (var method : ScriptedCublas.class.getDeclaredMethods()) {
            if (method.getName().startsWith("cublas")) {
                MethodType type = MethodType.methodType(method.getReturnType(), method.getParameterTypes());
                try {
                    MethodHandle handle =
                            MethodHandles.lookup().findVirtual(ScriptedCublas.class, method.getName(), type);
                    functions.put(method.getName(), stub(handle.bindTo(this), type, arena));
                } catch (ReflectiveOperationException impossible) {
                    throw new IllegalStateException(impossible);
                }
            }
        }
    }

    @SuppressWarnings("restricted")
    private static MemorySegment stub(MethodHandle handle, MethodType type, Arena arena) {
        MemoryLayout[] parameters = type.parameterList().stream()
                .map(each -> each == int.class ? JAVA_INT : JAVA_LONG)
                .toArray(MemoryLayout[]::new);
        return Linker.nativeLinker().upcallStub(handle, FunctionDescriptor.of(JAVA_INT, parameters), arena);
    }

    NativeLibrary library() {
        return new NativeLibrary("libscripted.so", name -> Optional.ofNullable(functions.get(name)));
    }

    /** Bytes of workspace that every algorithm needs from here on. */
    void needs(long bytes) {
        workspace = bytes;
    }

    @SuppressWarnings("restricted")
    private static MemorySegment at(long address, long bytes) {
        return MemorySegment.ofAddress(address).reinterpret(bytes);
    }

    private int created(long place) {
        at(place, Long.BYTES).set(JAVA_LONG, 0, handles++);
        return 0;
    }

    int cublasLtGetVersion() {
        return version;
    }

    int cublasLtCreate(long handle) {
        return created(handle);
    }

    int cublasLtDestroy(long handle) {
        calls.add("destroy handle");
        return 0;
    }

    int cublasLtMatmulDescCreate(long place, int compute, int scale) {
        calls.add("operation " + compute + " " + scale);
        return created(place);
    }

    int cublasLtMatmulDescDestroy(long operation) {
        calls.add("destroy operation");
        return 0;
    }

    /** As the real one it knows no algorithm with other scales than those of tensors before it has their addresses. */
    private boolean lacksScales() {
        return scales.containsKey(31) && !(scales.containsKey(17) && scales.containsKey(18));
    }

    /** Attributes of scales that were set since the last time, by their numbers. */
    Map<Integer, Long> scales() {
        Map<Integer, Long> told = Map.copyOf(scales);
        scales.clear();
        return told;
    }

    int cublasLtMatmulDescSetAttribute(long operation, int attribute, long value, long bytes) {
        if (SCALES.contains(attribute)) {
            scales.put(
                    attribute,
                    bytes == Long.BYTES
                            ? at(value, bytes).get(JAVA_LONG, 0)
                            : at(value, bytes).get(JAVA_INT, 0));
            return 0;
        }
        calls.add("operation attribute " + attribute + " = "
                + (bytes == 1
                        ? at(value, 1).get(JAVA_BYTE, 0)
                        : at(value, bytes).get(JAVA_INT, 0)));
        return 0;
    }

    int cublasLtMatrixLayoutCreate(long place, int type, long rows, long columns, long leading) {
        calls.add("layout " + type + " " + rows + "x" + columns + " " + leading);
        return created(place);
    }

    int cublasLtMatrixLayoutSetAttribute(long layout, int attribute, long value, long bytes) {
        calls.add("layout attribute " + attribute + " = "
                + (bytes == Long.BYTES
                        ? at(value, bytes).get(JAVA_LONG, 0)
                        : at(value, bytes).get(JAVA_INT, 0)));
        return 0;
    }

    int cublasLtMatrixLayoutDestroy(long layout) {
        calls.add("destroy layout");
        return 0;
    }

    int cublasLtMatmulPreferenceCreate(long place) {
        return created(place);
    }

    int cublasLtMatmulPreferenceSetAttribute(long preference, int attribute, long value, long bytes) {
        return 0;
    }

    int cublasLtMatmulPreferenceDestroy(long preference) {
        return 0;
    }

    /** One that fits and one that needs more workspace than there is. */
    int cublasLtMatmulAlgoGetHeuristic(
            long handle,
            long operation,
            long first,
            long second,
            long c,
            long d,
            long preference,
            int most,
            long results,
            long count) {
        if (lacksScales()) {
            return INVALID;
        }
        MemorySegment all = at(results, 2 * CublasGemm.RESULT_BYTES);
        all.fill((byte) 0);
        all.set(JAVA_LONG, 0, 7);
        all.set(JAVA_LONG, CublasGemm.RESULT_BYTES + CublasGemm.RESULT_WORKSPACE, 1L << 40);
        at(count, Integer.BYTES).set(JAVA_INT, 0, 2);
        return 0;
    }

    int cublasLtMatmulAlgoGetIds(
            long handle, int compute, int scale, int first, int second, int c, int d, int most, long ids, long count) {
        calls.add("ids of " + List.of(compute, scale, first, second, c, d));
        MemorySegment all = at(ids, 2L * Integer.BYTES);
        all.setAtIndex(JAVA_INT, 0, 66);
        all.setAtIndex(JAVA_INT, 1, 21);
        at(count, Integer.BYTES).set(JAVA_INT, 0, 2);
        return 0;
    }

    int cublasLtMatmulAlgoInit(
            long handle, int compute, int scale, int first, int second, int c, int d, int id, long algorithm) {
        if (id != 66) {
            return NOT_SUPPORTED;
        }
        settings.put(algorithm, new ArrayList<>(List.of(id, 0, 1, 0, 0, 0, 0, 0, 0)));
        at(algorithm, Long.BYTES).set(JAVA_LONG, 0, id);
        return 0;
    }

    /** Two tiles, one kind of stages, splits added up in way 2, custom options up to 7. */
    int cublasLtMatmulAlgoCapGetAttribute(long algorithm, int attribute, long buffer, long bytes, long written) {
        List<Integer> values = switch (attribute) {
            case 0 -> List.of(1);
            case 1 -> List.of(2);
            case 2 -> List.of(0);
            case 6 -> List.of(20, 23);
            case 7 -> List.of(7);
            case 13 -> List.of(35);
            default -> List.of();
        };
        MemorySegment all = at(buffer, bytes);
        for (int i = 0; i < values.size(); i++) {
            all.setAtIndex(JAVA_INT, i, values.get(i));
        }
        at(written, Long.BYTES).set(JAVA_LONG, 0, (long) values.size() * Integer.BYTES);
        return values.isEmpty() ? INVALID : 0;
    }

    int cublasLtMatmulAlgoConfigSetAttribute(long algorithm, int attribute, long value, long bytes) {
        MemorySegment given = at(value, bytes);
        int number = bytes == Short.BYTES ? given.get(JAVA_SHORT, 0) : given.get(JAVA_INT, 0);
        if (attribute == 5 && number > 7) {
            return INVALID;
        }
        List<Integer> known = settings.get(algorithm);
        known.set(attribute, number);
        at(algorithm, 2L * Long.BYTES).set(JAVA_LONG, Long.BYTES, known.hashCode());
        return 0;
    }

    int cublasLtMatmulAlgoCheck(
            long handle, long operation, long first, long second, long c, long d, long algorithm, long result) {
        calls.add("check " + settings.get(algorithm));
        at(result, CublasGemm.RESULT_BYTES).set(JAVA_LONG, CublasGemm.RESULT_WORKSPACE, workspace);
        return settings.get(algorithm).get(1) == 23 ? 0 : NOT_SUPPORTED;
    }

    int cublasLtMatmul(
            long handle,
            long operation,
            long alpha,
            long first,
            long firstLayout,
            long second,
            long secondLayout,
            long beta,
            long c,
            long cLayout,
            long d,
            long dLayout,
            long algorithm,
            long space,
            long bytes,
            long stream) {
        calls.add("matmul by " + at(algorithm, Long.BYTES).get(JAVA_LONG, 0) + " of " + first + " and " + second
                + " to " + d + " with " + bytes + " bytes on stream " + stream);
        return 0;
    }
}
