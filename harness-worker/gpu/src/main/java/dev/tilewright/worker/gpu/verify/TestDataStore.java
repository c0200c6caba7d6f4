package dev.tilewright.worker.gpu.verify;

import dev.tilewright.gemm.oracle.SumError.Signs;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.Scenario;
import dev.tilewright.worker.gpu.cuda.Gpu;
import java.util.LinkedHashMap;
import java.util.Optional;

/** Keeps operands and references on the device, the least recently used leaving first when memory runs short. */
public final class TestDataStore implements AutoCloseable {

    private final Gpu gpu;
    private final Oracle oracle;
    private final long reservedBytes;
    private final LinkedHashMap<Key, TestData> kept = new LinkedHashMap<>(16, 0.75f, true);

    private record Key(Problem problem, Signs signs, long seed) {}

    /**
     * An empty store.
     *
     * @param reservedBytes memory that must stay free for others
     */
    public TestDataStore(Gpu gpu, Oracle oracle, long reservedBytes) {
        this.gpu = gpu;
        this.oracle = oracle;
        this.reservedBytes = reservedBytes;
    }

    /**
     * Operands and verified reference of a problem, whatever its scenario. They are made when they are first asked for.
     *
     * @throws IllegalStateException if the reference is wrong, or the device is too small for the problem
     */
    public TestData get(Problem asked, long seed) {
        return get(asked, Signs.RANDOM, seed);
    }

    /** The same of such signs: kernels are timed on data of random signs, and judged on both. */
    public TestData get(Problem asked, Signs signs, long seed) {
        Problem problem = asked.beside(Scenario.QUIET);
        Key key = new Key(problem, signs, seed);
        TestData data = kept.get(key);
        if (data == null) {
            makeRoom(problem, key, TestData.bytes(problem, signs, gpu.info().l2Bytes()));
            data = TestData.create(gpu, oracle, problem, signs, seed, bytes -> makeRoom(problem, key, bytes));
            try {
                new ReferenceVerifier(gpu, data).verify(seed);
            } catch (RuntimeException wrong) {
                data.close();
                throw wrong;
            }
            kept.put(key, data);
        }
        return data;
    }

    /** The result of {@link #get} without making anything; empty if it is not there. */
    public Optional<TestData> held(Problem asked, long seed) {
        return Optional.ofNullable(kept.get(new Key(asked.beside(Scenario.QUIET), Signs.RANDOM, seed)));
    }

    /** Lets others go, the least recently used first. */
    private void makeRoom(Problem problem, Key owner, long bytes) {
        long needed = bytes + reservedBytes;
        while (gpu.freeBytes() < needed) {
            Key eldest = kept.keySet().stream()
                    .filter(key -> !key.equals(owner))
                    .findFirst()
                    .orElseThrow(() -> new IllegalStateException("the operands and the reference of " + problem.shapes()
                            + " need " + needed + " bytes on the device, only " + gpu.freeBytes() + " are free"));
            TestData left = kept.remove(eldest);
            if (left != null) {
                left.close();
            }
        }
    }

    @Override
    public void close() {
        kept.values().forEach(TestData::close);
        kept.clear();
    }
}
