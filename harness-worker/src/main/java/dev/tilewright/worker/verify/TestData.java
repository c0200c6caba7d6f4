package dev.tilewright.worker.verify;

import dev.tilewright.gemm.oracle.ErrorBound;
import dev.tilewright.model.problem.Major;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.worker.device.cuda.DeviceBuffer;
import dev.tilewright.worker.device.cuda.Gpu;
import java.util.ArrayList;
import java.util.List;

/**
 * Operands of a problem on the device, with the reference beside them. There are so many sets that A and B of all sets
 * together are at least twice the size of L2.
 */
public final class TestData implements AutoCloseable {

    /** Enough for the smallest problem whose timing means anything. */
    private static final int MAX_SETS = 64;

    private static final int L2_FACTOR = 2;

    /** B's numbers must not repeat A's. */
    private static final long SEED_OF_B = 0x9E37_79B9_7F4A_7C15L;

    private final Problem problem;
    private final List<Runnable> owned = new ArrayList<>();
    private final List<OperandSet> sets = new ArrayList<>();
    private final DeviceBuffer reference;
    private final DeviceBuffer magnitude;

    private TestData(Gpu gpu, Problem problem) {
        this.problem = problem;
        ProblemShape shape = problem.shape();
        try {
            this.reference = own(gpu.allocate(outputs(shape) * Float.BYTES));
            this.magnitude = own(gpu.allocate(outputs(shape) * Float.BYTES));
            for (int set = 0; set < setCount(problem, gpu.info().l2Bytes()); set++) {
                DeviceBuffer a = own(gpu.allocate(bytesOfA(problem)));
                DeviceBuffer b = own(gpu.allocate(bytesOfB(problem)));
                sets.add(new OperandSet(a, b, own(GuardedBuffer.allocate(gpu, bytesOfD(problem)))));
            }
        } catch (RuntimeException full) {
            close();
            throw full;
        }
    }

    /**
     * Makes operands and reference.
     *
     * @throws IllegalArgumentException if the problem is not a single GEMM with a row-major output that is stored in
     *     bf16, f16 or f32
     */
    public static TestData create(Gpu gpu, Oracle oracle, Problem problem, long seed) {
        requireSupported(problem);
        TestData data = new TestData(gpu, problem);
        try {
            data.fill(gpu, oracle, seed);
        } catch (RuntimeException failed) {
            data.close();
            throw failed;
        }
        return data;
    }

    private static void requireSupported(Problem problem) {
        if (!problem.isSingle()) {
            throw new IllegalArgumentException("groups = "
                    + problem.groups().size() + " and batch = " + problem.batch()
                    + ": only a single GEMM can be verified on a GPU; several run on the device emulated");
        }
        if (problem.major().d() != Major.N) {
            throw new IllegalArgumentException(
                    "major d = " + problem.major().d() + ": only a row-major output can be verified on a GPU, d = n");
        }
        ErrorBound.of(problem.types());
    }

    private void fill(Gpu gpu, Oracle oracle, long seed) {
        ProblemShape shape = problem.shape();
        OperandSet first = sets.getFirst();
        oracle.fillNormal(problem.types().a(), first.a().address(), (long) shape.m() * shape.k(), seed);
        oracle.fillNormal(problem.types().b(), first.b().address(), (long) shape.n() * shape.k(), seed ^ SEED_OF_B);
        for (OperandSet set : sets.subList(1, sets.size())) {
            gpu.copy(first.a().address(), set.a().address(), bytesOfA(problem));
            gpu.copy(first.b().address(), set.b().address(), bytesOfB(problem));
        }
        oracle.reference(
                problem, shape, first.a().address(), first.b().address(), reference.address(), magnitude.address());
    }

    private DeviceBuffer own(DeviceBuffer buffer) {
        owned.add(buffer::close);
        return buffer;
    }

    private GuardedBuffer own(GuardedBuffer buffer) {
        owned.add(buffer::close);
        return buffer;
    }

    /** How many sets make A and B together at least twice the size of L2. */
    static int setCount(Problem problem, long l2Bytes) {
        long inputs = bytesOfA(problem) + bytesOfB(problem);
        return Math.clamp(Math.ceilDiv(L2_FACTOR * l2Bytes, inputs), 1, MAX_SETS);
    }

    /** Memory that all of it takes on the device, in bytes. */
    static long bytes(Problem problem, long l2Bytes) {
        long set = bytesOfA(problem) + bytesOfB(problem) + bytesOfD(problem) + 2L * GuardedBuffer.ZONE_BYTES;
        return setCount(problem, l2Bytes) * set + 2 * outputs(problem.shape()) * Float.BYTES;
    }

    private static long outputs(ProblemShape shape) {
        return (long) shape.m() * shape.n();
    }

    private static long bytesOfA(Problem problem) {
        ProblemShape shape = problem.shape();
        return (long) shape.m() * shape.k() * problem.types().a().bytes();
    }

    private static long bytesOfB(Problem problem) {
        ProblemShape shape = problem.shape();
        return (long) shape.n() * shape.k() * problem.types().b().bytes();
    }

    private static long bytesOfD(Problem problem) {
        return outputs(problem.shape()) * problem.types().d().bytes();
    }

    public Problem problem() {
        return problem;
    }

    /** The sets of operands; the reference belongs to all of them. */
    public List<OperandSet> sets() {
        return List.copyOf(sets);
    }

    /** The reference, M x N f32. */
    public DeviceBuffer reference() {
        return reference;
    }

    /** Sum of |a b| for each element of the output, M x N f32. */
    public DeviceBuffer magnitude() {
        return magnitude;
    }

    @Override
    public void close() {
        owned.reversed().forEach(Runnable::run);
        owned.clear();
        sets.clear();
    }
}
