package dev.tilewright.worker.gpu.verify;

import dev.tilewright.gemm.launch.OperandLayout;
import dev.tilewright.gemm.oracle.ErrorBound;
import dev.tilewright.model.problem.Major;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.worker.gpu.cuda.DeviceBuffer;
import dev.tilewright.worker.gpu.cuda.Gpu;
import java.util.ArrayList;
import java.util.List;

/**
 * Operands of a problem on the device, with the reference beside them: one buffer for the A of all its GEMMs, one for
 * their B and one for their D, by the {@link OperandLayout}. There are so many sets that A and B of all sets together
 * are at least twice the size of L2.
 */
public final class TestData implements AutoCloseable {

    /** Enough for the smallest problem whose timing means anything. */
    private static final int MAX_SETS = 64;

    private static final int L2_FACTOR = 2;

    /** B's numbers must not repeat A's. */
    private static final long SEED_OF_B = 0x9E37_79B9_7F4A_7C15L;

    private final Problem problem;
    private final OperandLayout layout;
    private final List<Runnable> owned = new ArrayList<>();
    private final List<OperandSet> sets = new ArrayList<>();
    private final DeviceBuffer reference;
    private final DeviceBuffer magnitude;

    private TestData(Gpu gpu, Problem problem) {
        this.problem = problem;
        this.layout = OperandLayout.of(problem);
        try {
            this.reference = own(gpu.allocate(layout.elementsD() * Float.BYTES));
            this.magnitude = own(gpu.allocate(layout.elementsD() * Float.BYTES));
            for (int set = 0; set < setCount(problem, gpu.info().l2Bytes()); set++) {
                DeviceBuffer a = own(gpu.allocate(bytesOfA(problem, layout)));
                DeviceBuffer b = own(gpu.allocate(bytesOfB(problem, layout)));
                sets.add(new OperandSet(a, b, own(GuardedBuffer.allocate(gpu, bytesOfD(problem, layout)))));
            }
        } catch (RuntimeException full) {
            close();
            throw full;
        }
    }

    /**
     * Makes operands and reference.
     *
     * @throws IllegalArgumentException if the output is not row-major, or not stored in bf16, f16 or f32
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
        if (problem.major().d() != Major.N) {
            throw new IllegalArgumentException(
                    "major d = " + problem.major().d() + ": only a row-major output can be verified on a GPU, d = n");
        }
        ErrorBound.of(problem.types());
    }

    private void fill(Gpu gpu, Oracle oracle, long seed) {
        OperandSet first = sets.getFirst();
        oracle.fillNormal(problem.types().a(), first.a().address(), layout.elementsA(), seed);
        oracle.fillNormal(problem.types().b(), first.b().address(), layout.elementsB(), seed ^ SEED_OF_B);
        for (OperandSet set : sets.subList(1, sets.size())) {
            gpu.copy(first.a().address(), set.a().address(), bytesOfA(problem, layout));
            gpu.copy(first.b().address(), set.b().address(), bytesOfB(problem, layout));
        }
        for (OperandLayout.Gemm gemm : layout.gemms()) {
            oracle.reference(
                    problem,
                    gemm.shape(),
                    addressOfA(first, gemm),
                    addressOfB(first, gemm),
                    addressOfReference(gemm),
                    addressOfMagnitude(gemm));
        }
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
        OperandLayout layout = OperandLayout.of(problem);
        long inputs = bytesOfA(problem, layout) + bytesOfB(problem, layout);
        return Math.clamp(Math.ceilDiv(L2_FACTOR * l2Bytes, inputs), 1, MAX_SETS);
    }

    /** Memory that all of it takes on the device, in bytes. */
    static long bytes(Problem problem, long l2Bytes) {
        OperandLayout layout = OperandLayout.of(problem);
        long set = bytesOfA(problem, layout)
                + bytesOfB(problem, layout)
                + bytesOfD(problem, layout)
                + 2L * GuardedBuffer.ZONE_BYTES;
        return setCount(problem, l2Bytes) * set + 2 * layout.elementsD() * Float.BYTES;
    }

    private static long bytesOfA(Problem problem, OperandLayout layout) {
        return layout.elementsA() * problem.types().a().bytes();
    }

    private static long bytesOfB(Problem problem, OperandLayout layout) {
        return layout.elementsB() * problem.types().b().bytes();
    }

    private static long bytesOfD(Problem problem, OperandLayout layout) {
        return layout.elementsD() * problem.types().d().bytes();
    }

    public Problem problem() {
        return problem;
    }

    /** Where the GEMMs of the problem lie in the buffers of each set, and in the reference as in D. */
    public OperandLayout layout() {
        return layout;
    }

    /** The sets of operands; the reference belongs to all of them. */
    public List<OperandSet> sets() {
        return List.copyOf(sets);
    }

    /** The reference of all GEMMs, f32 in the layout of D. */
    public DeviceBuffer reference() {
        return reference;
    }

    /** The A of one GEMM in a set. */
    long addressOfA(OperandSet set, OperandLayout.Gemm gemm) {
        return set.a().address() + gemm.a() * problem.types().a().bytes();
    }

    /** The B of one GEMM in a set. */
    long addressOfB(OperandSet set, OperandLayout.Gemm gemm) {
        return set.b().address() + gemm.b() * problem.types().b().bytes();
    }

    /** The output of one GEMM in a set. */
    long addressOfD(OperandSet set, OperandLayout.Gemm gemm) {
        return set.d().address() + gemm.d() * problem.types().d().bytes();
    }

    /** The reference of one GEMM, M x N f32. */
    long addressOfReference(OperandLayout.Gemm gemm) {
        return reference.address() + gemm.d() * Float.BYTES;
    }

    /** Sum of |a b| for each element of the output of one GEMM, M x N f32. */
    long addressOfMagnitude(OperandLayout.Gemm gemm) {
        return magnitude.address() + gemm.d() * Float.BYTES;
    }

    @Override
    public void close() {
        owned.reversed().forEach(Runnable::run);
        owned.clear();
        sets.clear();
    }
}
