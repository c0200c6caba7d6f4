package dev.tilewright.worker.gpu.cuda;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Records launches into a graph instead of running them, and reads there what they consist of. */
public final class LaunchCapture {

    /** {@code CU_STREAM_CAPTURE_MODE_RELAXED}: what other streams do does not end it. */
    private static final int RELAXED = 2;

    /** {@code CU_GRAPH_NODE_TYPE_KERNEL}. */
    private static final int KERNEL = 0;

    /** {@code CU_LAUNCH_ATTRIBUTE_CLUSTER_DIMENSION}, a {@code CUlaunchAttributeValue} of 64 bytes. */
    private static final int CLUSTER = 4;

    private static final long VALUE_BYTES = 64;

    /** {@code CUDA_KERNEL_NODE_PARAMS}: where its members lie. */
    private static final long PARAMS_BYTES = 72;

    private static final long GRID = 8;
    private static final long SHARED = 32;
    private static final long LIBRARY_KERNEL = 56;

    private static final int MOST_NAME = 1 << 16;

    private final DriverLibrary driver;
    private final long stream;
    private final Map<Long, String> names = new HashMap<>();
    private final Map<String, NativeCall> calls = new HashMap<>();

    private LaunchCapture(DriverLibrary driver, long stream) {
        this.driver = driver;
        this.stream = stream;
    }

    /** For launches into the stream of a GPU; empty if the driver's library is not here. */
    public static Optional<LaunchCapture> of(Gpu gpu) {
        return DriverLibrary.load().map(driver -> new LaunchCapture(driver, gpu.stream()));
    }

    /**
     * Records what is put into the stream. None of it runs. Two launches of the same kernels, grids, blocks, shared
     * bytes and clusters may still differ in parameters.
     *
     * @return the kernels in order, each with its grid, block, shared bytes and cluster
     * @throws CudaException if a launch is refused
     */
    public CapturedLaunch capture(Runnable launch) {
        try (Arena arena = Arena.ofConfined()) {
            check("cuStreamBeginCapture", call("cuStreamBeginCapture_v2", stream, RELAXED));
            MemorySegment graph = arena.allocate(JAVA_LONG);
            try {
                launch.run();
            } finally {
                call("cuStreamEndCapture", stream, graph.address());
            }
            long recorded = graph.get(JAVA_LONG, 0);
            try {
                return read(recorded, arena);
            } finally {
                function("cuGraphDestroy", JAVA_LONG).invoke(recorded);
            }
        }
    }

    private NativeCall function(String name, ValueLayout... parameters) {
        return calls.computeIfAbsent(name, _ -> driver.call(name, parameters));
    }

    private int call(String function, long handle, int number) {
        return function(function, JAVA_LONG, JAVA_INT).invoke(handle, number);
    }

    private int call(String function, long one, long other) {
        return function(function, JAVA_LONG, JAVA_LONG).invoke(one, other);
    }

    private int call(String function, long one, long two, long three) {
        return function(function, JAVA_LONG, JAVA_LONG, JAVA_LONG).invoke(one, two, three);
    }

    private void check(String call, int result) {
        driver.check(call, result);
    }

    private CapturedLaunch read(long graph, Arena arena) {
        MemorySegment count = arena.allocate(JAVA_LONG);
        check("cuGraphGetNodes", call("cuGraphGetNodes", graph, 0, count.address()));
        MemorySegment nodes = arena.allocate(JAVA_LONG, Math.max(1, count.get(JAVA_LONG, 0)));
        check("cuGraphGetNodes", call("cuGraphGetNodes", graph, nodes.address(), count.address()));
        List<CapturedLaunch.Part> parts = new ArrayList<>();
        for (long i = 0; i < count.get(JAVA_LONG, 0); i++) {
            long node = nodes.getAtIndex(JAVA_LONG, i);
            MemorySegment type = arena.allocate(JAVA_INT);
            check("cuGraphNodeGetType", call("cuGraphNodeGetType", node, type.address()));
            parts.add(
                    type.get(JAVA_INT, 0) == KERNEL
                            ? kernel(node, arena)
                            : new CapturedLaunch.Other(type.get(JAVA_INT, 0)));
        }
        return new CapturedLaunch(parts);
    }

    private CapturedLaunch.Kernel kernel(long node, Arena arena) {
        MemorySegment params = arena.allocate(PARAMS_BYTES, Long.BYTES);
        check("cuGraphKernelNodeGetParams", call("cuGraphKernelNodeGetParams_v2", node, params.address()));
        MemorySegment value = arena.allocate(VALUE_BYTES, Long.BYTES);
        int result = function("cuGraphKernelNodeGetAttribute", JAVA_LONG, JAVA_INT, JAVA_LONG)
                .invoke(node, CLUSTER, value.address());
        check("cuGraphKernelNodeGetAttribute", result);
        return new CapturedLaunch.Kernel(
                name(params, arena),
                size(params, GRID),
                size(params, GRID + 3 * Integer.BYTES),
                params.get(JAVA_INT, SHARED),
                size(value, 0));
    }

    private static CapturedLaunch.Size size(MemorySegment from, long offset) {
        return new CapturedLaunch.Size(
                from.get(JAVA_INT, offset),
                from.get(JAVA_INT, offset + Integer.BYTES),
                from.get(JAVA_INT, offset + 2 * Integer.BYTES));
    }

    /** Of a function, or of a kernel of a library, which has none of its own. */
    private String name(MemorySegment params, Arena arena) {
        long function = params.get(JAVA_LONG, 0);
        long handle = function == 0 ? params.get(JAVA_LONG, LIBRARY_KERNEL) : function;
        String call = function == 0 ? "cuKernelGetName" : "cuFuncGetName";
        return names.computeIfAbsent(handle, _ -> {
            MemorySegment name = arena.allocate(JAVA_LONG);
            check(call, call(call, name.address(), handle));
            return at(name.get(JAVA_LONG, 0), MOST_NAME).getString(0);
        });
    }

    @SuppressWarnings("restricted")
    private static MemorySegment at(long address, long bytes) {
        return MemorySegment.ofAddress(address).reinterpret(bytes);
    }
}
