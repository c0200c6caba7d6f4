package dev.tilewright.worker.gpu.verify;

import dev.tilewright.gemm.launch.BufferRole;
import dev.tilewright.gemm.launch.OperandLayout;
import dev.tilewright.gemm.oracle.ChecksumKernel;
import dev.tilewright.gemm.oracle.ErrorBound;
import dev.tilewright.gemm.oracle.ReferenceGemmKernel;
import dev.tilewright.gemm.oracle.SumError.Signs;
import dev.tilewright.model.problem.OperandRole;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.Scales;
import dev.tilewright.proof.compare.Contents;
import dev.tilewright.proof.export.GroupBuffers;
import dev.tilewright.worker.gpu.cuda.DeviceBuffer;
import dev.tilewright.worker.gpu.cuda.Gpu;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongConsumer;

/**
 * Operands of a problem on the device, with the reference beside them: one buffer for the A of all its GEMMs, one for
 * their B, one for their D, and one each for scales of A and of B that are buffers, by the {@link OperandLayout}. There
 * are so many sets that A and B of all sets together are at least twice the size of L2.
 */
public final class TestData implements AutoCloseable {

    /** Enough for the smallest problem whose timing means anything. */
    private static final int MAX_SETS = 64;

    private static final int L2_FACTOR = 2;

    /** B's numbers must not repeat A's. */
    private static final long SEED_OF_B = 0x9E37_79B9_7F4A_7C15L;

    private final Problem problem;
    private final Signs signs;
    private final OperandLayout layout;
    private final List<Runnable> owned = new ArrayList<>();
    private final List<OperandSet> sets = new ArrayList<>();
    private final Map<Ending, Reference> references = new HashMap<>();
    private final Gpu gpu;
    private final Oracle oracle;
    private final long seed;
    private final LongConsumer room;
    private final Reference plain;
    private final Map<OperandRole, Long> checksumsOfScales = new EnumMap<>(OperandRole.class);
    private long checksumA;
    private long checksumB;

    private TestData(Gpu gpu, Oracle oracle, Problem problem, Signs signs, long seed, LongConsumer room) {
        this.gpu = gpu;
        this.oracle = oracle;
        this.problem = problem;
        this.signs = signs;
        this.seed = seed;
        this.room = room;
        ErrorBound bound = ErrorBound.of(problem);
        this.layout = OperandLayout.of(problem);
        try {
            DeviceBuffer values = own(gpu.allocate(layout.elementsD() * Float.BYTES));
            DeviceBuffer magnitudes = own(gpu.allocate(layout.elementsD() * Float.BYTES));
            Reference.Scale scale = k -> bound.scale(k, signs);
            this.plain = new Reference(values, magnitudes, bound.relative(), scale, List.of(), Optional.empty());
            for (int set = 0; set < setCount(problem, signs, gpu.info().l2Bytes()); set++) {
                DeviceBuffer a = own(gpu.allocate(bytesOfA(problem, layout)));
                DeviceBuffer b = own(gpu.allocate(bytesOfB(problem, layout)));
                GuardedBuffer d = own(GuardedBuffer.allocate(gpu, bytesOfD(problem, layout)));
                sets.add(new OperandSet(a, b, d, scales()));
            }
        } catch (RuntimeException full) {
            close();
            throw full;
        }
    }

    private Optional<ScaleSet> scales() {
        return problem.scales().areBuffers()
                ? Optional.of(new ScaleSet(
                        own(gpu.allocate(bytesOfScales(problem, layout, OperandRole.A))),
                        own(gpu.allocate(bytesOfScales(problem, layout, OperandRole.B)))))
                : Optional.empty();
    }

    /**
     * Makes operands and reference.
     *
     * @throws IllegalArgumentException if the output is not stored in bf16, f16 or f32
     */
    public static TestData create(Gpu gpu, Oracle oracle, Problem problem, long seed) {
        return create(gpu, oracle, problem, Signs.RANDOM, seed, _ -> {});
    }

    /**
     * The same.
     *
     * @param signs of the operands; data of one sign are a single set, since nobody is timed on them
     * @param room is asked for so many bytes before more than operands and reference is made
     */
    static TestData create(Gpu gpu, Oracle oracle, Problem problem, Signs signs, long seed, LongConsumer room) {
        TestData data = new TestData(gpu, oracle, problem, signs, seed, room);
        try {
            data.fill();
        } catch (RuntimeException failed) {
            data.close();
            throw failed;
        }
        return data;
    }

    private void fill() {
        OperandSet first = sets.getFirst();
        oracle.fillNormal(problem.types().a(), signs, first.a().address(), layout.elementsA(), seed);
        oracle.fillNormal(problem.types().b(), signs, first.b().address(), layout.elementsB(), seed ^ SEED_OF_B);
        for (OperandSet set : sets.subList(1, sets.size())) {
            gpu.copy(first.a().address(), set.a().address(), bytesOfA(problem, layout));
            gpu.copy(first.b().address(), set.b().address(), bytesOfB(problem, layout));
        }
        for (OperandRole role : OperandRole.values()) {
            if (problem.scales().areBuffers()) {
                fillScales(role);
            }
        }
        checksumA = oracle.checksum(first.a().address(), bytesOfA(problem, layout));
        checksumB = oracle.checksum(first.b().address(), bytesOfB(problem, layout));
        for (OperandLayout.Gemm gemm : layout.gemms()) {
            oracle.reference(
                    problem,
                    gemm.shape(),
                    addressOfA(first, gemm),
                    addressOfB(first, gemm),
                    blockScales(first, gemm),
                    plain.valueAt(gemm.d()),
                    plain.allowanceAt(gemm.d()));
        }
    }

    private Optional<ReferenceGemmKernel.BlockScales> blockScales(OperandSet set, OperandLayout.Gemm gemm) {
        return problem.scales() == Scales.BLOCK
                ? Optional.of(new ReferenceGemmKernel.BlockScales(
                        addressOfScales(set, gemm, OperandRole.A),
                        addressOfScales(set, gemm, OperandRole.B),
                        problem.scales().pitch(OperandRole.A, gemm.shape()),
                        problem.scales().pitch(OperandRole.B, gemm.shape())))
                : Optional.empty();
    }

    /** The host writes them: they are few. */
    private void fillScales(OperandRole role) {
        ByteArrayOutputStream content = new ByteArrayOutputStream();
        new GroupBuffers(problem).scales(role).forEach(part -> content.writeBytes(Contents.of(part, seed)));
        sets.forEach(set -> gpu.write(scales(set, role).address(), content.toByteArray()));
        checksumsOfScales.put(role, ChecksumKernel.of(content.toByteArray()));
    }

    private static DeviceBuffer scales(OperandSet set, OperandRole role) {
        return set.scales()
                .orElseThrow(() -> new IllegalArgumentException("the problem has no buffer with scales of " + role))
                .of(role);
    }

    /** The reference of kernels that compute the problem without an epilogue. */
    public Reference plain() {
        return plain;
    }

    /** The reference of kernels that compute the problem with its epilogue. */
    public Reference ofProblem() {
        return reference(Ending.of(problem));
    }

    /**
     * The reference of kernels with such an ending, with their C and bias. It is made, and proved by samples, when it
     * is first asked for.
     *
     * @throws IllegalStateException if it is wrong
     */
    public Reference reference(Ending ending) {
        if (ending.isPlain(problem)) {
            return plain;
        }
        Reference known = references.get(ending);
        if (known == null) {
            room.accept(EndingData.bytes(this, ending));
            int before = owned.size();
            try {
                known = new EndingData(gpu, oracle, this, ending, seed, this::own).make();
                new ReferenceVerifier(gpu, this).verify(ending, known, seed);
            } catch (RuntimeException failed) {
                List<Runnable> made = owned.subList(before, owned.size());
                made.reversed().forEach(Runnable::run);
                made.clear();
                throw failed;
            }
            references.put(ending, known);
        }
        return known;
    }

    /** Whether {@link #reference} has nothing to make. */
    public boolean holds(Ending ending) {
        return ending.isPlain(problem) || references.containsKey(ending);
    }

    /** The A of a set, which no kernel may change. */
    public Reference.Kept keptA(String name, OperandSet set) {
        return new Reference.Kept(name, set.a().address(), bytesOfA(problem, layout), checksumA);
    }

    /** The B of a set, likewise. */
    public Reference.Kept keptB(String name, OperandSet set) {
        return new Reference.Kept(name, set.b().address(), bytesOfB(problem, layout), checksumB);
    }

    /** The scales of A or of B of a set, likewise. */
    public Reference.Kept keptScales(String name, OperandSet set, OperandRole role) {
        return new Reference.Kept(
                name,
                scales(set, role).address(),
                bytesOfScales(problem, layout, role),
                checksumsOfScales.getOrDefault(role, 0L));
    }

    private DeviceBuffer own(DeviceBuffer buffer) {
        owned.add(buffer::close);
        return buffer;
    }

    private GuardedBuffer own(GuardedBuffer buffer) {
        owned.add(buffer::close);
        return buffer;
    }

    private static int setCount(Problem problem, Signs signs, long l2Bytes) {
        return switch (signs) {
            case RANDOM -> setCount(problem, l2Bytes);
            case ONE -> 1;
        };
    }

    /** How many sets make A and B together at least twice the size of L2. */
    static int setCount(Problem problem, long l2Bytes) {
        OperandLayout layout = OperandLayout.of(problem);
        long inputs = bytesOfA(problem, layout) + bytesOfB(problem, layout);
        return Math.clamp(Math.ceilDiv(L2_FACTOR * l2Bytes, inputs), 1, MAX_SETS);
    }

    /** Memory that all of it takes on the device, in bytes. */
    static long bytes(Problem problem, Signs signs, long l2Bytes) {
        OperandLayout layout = OperandLayout.of(problem);
        long set = bytesOfA(problem, layout)
                + bytesOfB(problem, layout)
                + bytesOfScales(problem, layout, OperandRole.A)
                + bytesOfScales(problem, layout, OperandRole.B)
                + GuardedBuffer.bytesWithZones(bytesOfD(problem, layout));
        return setCount(problem, signs, l2Bytes) * set + 2 * layout.elementsD() * Float.BYTES;
    }

    private static long bytesOfA(Problem problem, OperandLayout layout) {
        return layout.elementsA() * problem.types().a().bytes();
    }

    private static long bytesOfB(Problem problem, OperandLayout layout) {
        return layout.elementsB() * problem.types().b().bytes();
    }

    private static long bytesOfScales(Problem problem, OperandLayout layout, OperandRole role) {
        return layout.elementsOfScales(problem.scales(), role) * Float.BYTES;
    }

    private static long bytesOfD(Problem problem, OperandLayout layout) {
        return layout.elementsD() * problem.types().d().bytes();
    }

    public Problem problem() {
        return problem;
    }

    /** The signs of A and B. */
    Signs signs() {
        return signs;
    }

    /** Layout of the GEMMs of the problem in the buffers of each set, and in the reference as in D. */
    public OperandLayout layout() {
        return layout;
    }

    /** The sets of operands; the reference belongs to all of them. */
    public List<OperandSet> sets() {
        return List.copyOf(sets);
    }

    /** The A of one GEMM in a set. */
    long addressOfA(OperandSet set, OperandLayout.Gemm gemm) {
        return set.a().address() + gemm.a() * problem.types().a().bytes();
    }

    /** The B of one GEMM in a set. */
    long addressOfB(OperandSet set, OperandLayout.Gemm gemm) {
        return set.b().address() + gemm.b() * problem.types().b().bytes();
    }

    /** The scales of A or of B of one GEMM in a set. */
    long addressOfScales(OperandSet set, OperandLayout.Gemm gemm, OperandRole role) {
        return scales(set, role).address() + gemm.first(BufferRole.scales(role)) * Float.BYTES;
    }

    /** The output of one GEMM in a set. */
    long addressOfD(OperandSet set, OperandLayout.Gemm gemm) {
        return set.d().address() + gemm.d() * problem.types().d().bytes();
    }

    @Override
    public void close() {
        owned.reversed().forEach(Runnable::run);
        owned.clear();
        references.clear();
        sets.clear();
    }
}
