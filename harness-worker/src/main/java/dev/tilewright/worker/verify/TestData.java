package dev.tilewright.worker.verify;

import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.OperandTypes;
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
                DeviceBuffer a = own(gpu.allocate(bytesOfA(shape)));
                DeviceBuffer b = own(gpu.allocate(bytesOfB(shape)));
                sets.add(new OperandSet(
                        a, b, own(GuardedBuffer.allocate(gpu, outputs(shape) * DataType.BF16.bytes()))));
            }
        } catch (RuntimeException full) {
            close();
            throw full;
        }
    }

    /**
     * Makes operands and reference.
     *
     * @throws IllegalArgumentException if the problem is not a single bf16 GEMM
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
                    + ": only a single bf16 GEMM can be verified on a GPU; several run on the device emulated");
        }
        if (!problem.types().equals(OperandTypes.all(DataType.BF16))) {
            throw new IllegalArgumentException("only a single bf16 GEMM can be verified, got " + problem);
        }
    }

    private void fill(Gpu gpu, Oracle oracle, long seed) {
        ProblemShape shape = problem.shape();
        OperandSet first = sets.getFirst();
        oracle.fillNormal(first.a().address(), (long) shape.m() * shape.k(), seed);
        oracle.fillNormal(first.b().address(), (long) shape.n() * shape.k(), seed ^ SEED_OF_B);
        for (OperandSet set : sets.subList(1, sets.size())) {
            gpu.copy(first.a().address(), set.a().address(), bytesOfA(shape));
            gpu.copy(first.b().address(), set.b().address(), bytesOfB(shape));
        }
        oracle.reference(shape, first.a().address(), first.b().address(), reference.address(), magnitude.address());
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
        long inputs = bytesOfA(problem.shape()) + bytesOfB(problem.shape());
        return Math.clamp(Math.ceilDiv(L2_FACTOR * l2Bytes, inputs), 1, MAX_SETS);
    }

    /** Memory that all of it takes on the device, in bytes. */
    static long bytes(Problem problem, long l2Bytes) {
        ProblemShape shape = problem.shape();
        long output = outputs(shape);
        long set = bytesOfA(shape) + bytesOfB(shape) + output * DataType.BF16.bytes() + 2L * GuardedBuffer.ZONE_BYTES;
        return setCount(problem, l2Bytes) * set + 2 * output * Float.BYTES;
    }

    private static long outputs(ProblemShape shape) {
        return (long) shape.m() * shape.n();
    }

    private static long bytesOfA(ProblemShape shape) {
        return (long) shape.m() * shape.k() * DataType.BF16.bytes();
    }

    private static long bytesOfB(ProblemShape shape) {
        return (long) shape.n() * shape.k() * DataType.BF16.bytes();
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
