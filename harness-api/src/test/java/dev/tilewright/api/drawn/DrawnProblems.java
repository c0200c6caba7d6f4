package dev.tilewright.api.drawn;

import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Major;
import dev.tilewright.model.problem.OperandMajors;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.problem.Scenario;
import dev.tilewright.space.family.FamilySpace;
import dev.tilewright.testing.Selection;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.BooleanSupplier;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Problems that a family takes: M, N and K log-uniform from 1 to 32768, all types and layouts, one GEMM in two of three
 * and batches or groups else, SMs that somebody else holds in one of four, launches that overlap in one of four.
 * Extents are rounded up to what tensor maps need; what a family does not take is drawn again.
 *
 * @param seed of all; each problem has a stream of its own, so that one can be drawn without the others
 */
public record DrawnProblems(long seed) {

    private static final int LARGEST = 32_768;
    private static final int MOST_GROUPS = 6;
    private static final int MOST_BATCH = 16;
    private static final int ROW_ALIGNMENT = 16;

    /** The seed that the property {@code draws.seed} names, else one that is new each time; it is printed. */
    public static DrawnProblems ofThisRun() {
        long seed = Selection.seed();
        System.out.println("drawn problems: -Ddraws.seed=" + seed);
        return new DrawnProblems(seed);
    }

    /** How many to draw: what the property {@code tilewright.drawn.count} says, if it is there. */
    public static int count(int otherwise) {
        return Integer.getInteger("tilewright.drawn.count", otherwise);
    }

    /**
     * The problem with this number.
     *
     * @param smCount of the device
     */
    public Problem of(int number, FamilySpace family, int smCount) {
        RandomGenerator random = new SplittableRandom(new SplittableRandom(seed).nextLong() + number);
        return Stream.generate(() -> any(random, smCount))
                .filter(problem -> family.refusal(problem).isEmpty())
                .findFirst()
                .orElseThrow();
    }

    private static Problem any(RandomGenerator random, int smCount) {
        OperandTypes types = new OperandTypes(
                oneOf(random, DataType.values()), oneOf(random, DataType.values()), oneOf(random, DataType.values()));
        OperandMajors majors = new OperandMajors(
                oneOf(random, Major.K, Major.M), oneOf(random, Major.K, Major.N), oneOf(random, Major.N, Major.M));
        BooleanSupplier quarter = () -> random.nextInt(4) == 0;
        int kind = random.nextInt(6);
        int groups = kind == 0 ? random.nextInt(2, MOST_GROUPS + 1) : 1;
        int batch = kind == 1 ? random.nextInt(2, MOST_BATCH + 1) : 1;
        Scenario scenario =
                new Scenario(quarter.getAsBoolean() ? random.nextInt(1, smCount) : 0, quarter.getAsBoolean());
        List<ProblemShape> shapes = IntStream.range(0, groups)
                .mapToObj(group -> shape(random, types, majors))
                .toList();
        return new Problem(shapes, batch, types, majors, scenario);
    }

    private static ProblemShape shape(RandomGenerator random, OperandTypes types, OperandMajors majors) {
        int m = extent(random, step(majors.a() == Major.M, types.a()), 1);
        int n = extent(random, step(majors.b() == Major.N, types.b()), step(true, types.d()));
        int k = extent(random, step(majors.a() == Major.K, types.a()), step(majors.b() == Major.K, types.b()));
        return new ProblemShape(m, n, k);
    }

    /** Elements that a tensor map has rows of, where the rows of an operand lie along the extent. */
    private static int step(boolean along, DataType type) {
        return along ? ROW_ALIGNMENT / type.bytes() : 1;
    }

    private static int extent(RandomGenerator random, int oneStep, int otherStep) {
        int drawn = (int) Math.round(StrictMath.exp(random.nextDouble() * StrictMath.log(LARGEST)));
        // Both are powers of two.
        int step = Math.max(oneStep, otherStep);
        return Math.ceilDiv(drawn, step) * step;
    }

    @SafeVarargs
    private static <T> T oneOf(RandomGenerator random, T... values) {
        return values[random.nextInt(values.length)];
    }
}
