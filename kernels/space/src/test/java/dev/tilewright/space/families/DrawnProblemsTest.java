package dev.tilewright.space.families;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Major;
import dev.tilewright.model.problem.OperandMajors;
import dev.tilewright.model.problem.OperandTypes;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.problem.Scenario;
import dev.tilewright.model.space.Config;
import dev.tilewright.space.SearchSpace;
import dev.tilewright.space.SpaceTree;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.space.family.FamilySpace;
import dev.tilewright.space.sm100.Sm100GemmSpace;
import dev.tilewright.space.sm90.Sm90GemmSpace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Spaces of drawn problems: how long their trees take, how many configs they have and how long a draw takes. The limits
 * are about twice what two cores like those of CI took.
 */
class DrawnProblemsTest {

    private static final long SEED = 20;
    private static final int MOST_CONFIGS = 1_000_000;
    private static final double TREE_MS = 1_200;
    private static final double MEDIAN_TREE_MS = 50;
    private static final double FULL_TREE_MS = 10_000;
    private static final double DRAW_US = 20;

    private static final int SAMPLE = 12;
    private static final int MANY = 500;
    private static final int DRAWS = 2_000;

    /** What was measured of one problem; milliseconds and microseconds. */
    private record Measured(Problem problem, String family, double treeMs, double fullMs, long size, double drawUs) {}

    /** A family beside the GPU that runs it. */
    private record On(FamilySpace family, DeviceLimits limits) {
        static final List<On> ALL = List.of(
                new On(new Sm90GemmSpace(), DeviceLimits.of(132)), new On(new Sm100GemmSpace(), DeviceLimits.of(148)));
    }

    @Test
    void aSampleIsBuiltAndDrawnFrom() {
        List<Measured> all = measure(SEED, SAMPLE);
        assertThat(all).hasSizeGreaterThan(SAMPLE).allSatisfy(DrawnProblemsTest::assertSmall);
    }

    /** Five hundred problems, after a few others that find the code cold. */
    @Test
    @Tag("alone")
    void everySpaceIsBuiltInTime() {
        print("cold", measure(SEED + 1, SAMPLE));
        List<Measured> all = measure(SEED, MANY);
        print("warm", all);
        assertThat(all.stream().mapToDouble(Measured::treeMs).sorted().toArray()[all.size() / 2])
                .isLessThan(MEDIAN_TREE_MS);
        assertThat(all).allSatisfy(one -> {
            assertSmall(one);
            assertThat(one.treeMs()).isLessThan(TREE_MS);
            assertThat(one.fullMs()).isLessThan(FULL_TREE_MS);
            assertThat(one.drawUs()).isLessThan(DRAW_US);
        });
    }

    private static void assertSmall(Measured one) {
        assertThat(one.size()).isPositive();
        if (one.problem().isSingle()) {
            assertThat(one.size()).isLessThanOrEqualTo(MOST_CONFIGS);
        }
    }

    private static void print(String when, List<Measured> all) {
        print(when + ": default tree, ms", all.stream().mapToDouble(Measured::treeMs));
        print(when + ": full tree, ms", all.stream().mapToDouble(Measured::fullMs));
        print(when + ": draw, us", all.stream().mapToDouble(Measured::drawUs));
        print(
                when + ": configs of one GEMM",
                all.stream().filter(one -> one.problem().isSingle()).mapToDouble(Measured::size));
        print(
                when + ": configs of several",
                all.stream().filter(one -> !one.problem().isSingle()).mapToDouble(Measured::size));
    }

    private static void print(String what, DoubleStream measured) {
        double[] values = measured.toArray();
        Arrays.sort(values);
        System.out.printf(
                "%s: median %.1f, 99th percentile %.1f, most %.1f of %d%n",
                what,
                values[values.length / 2],
                values[values.length * 99 / 100],
                values[values.length - 1],
                values.length);
    }

    /** Each problem under every family that computes it. */
    private static List<Measured> measure(long seed, int problems) {
        SplittableRandom random = new SplittableRandom(seed);
        List<Measured> all = new ArrayList<>();
        for (int i = 0; i < problems; i++) {
            Problem problem = problem(random, i);
            for (On on : On.ALL) {
                if (on.family().refusal(problem).isEmpty()) {
                    all.add(measure(on, problem, random));
                }
            }
        }
        return all;
    }

    private static Measured measure(On on, Problem problem, SplittableRandom random) {
        SearchSpace full = on.family().space(problem, on.limits());
        long began = System.nanoTime();
        SpaceTree tree = SpaceTree.of(full.usual(Map.of()));
        long built = System.nanoTime();
        Config drawn = tree.draw(random);
        assertThat(full.violation(drawn)).as("%s", problem).isEmpty();
        long before = System.nanoTime();
        for (int draw = 0; draw < DRAWS; draw++) {
            drawn = tree.draw(random);
        }
        long drew = System.nanoTime();
        assertThat(tree.contains(drawn)).isTrue();
        long again = System.nanoTime();
        assertThat(SpaceTree.of(full).size()).isGreaterThanOrEqualTo(tree.size());
        long done = System.nanoTime();
        return new Measured(
                problem,
                on.family().family(),
                (built - began) / 1e6,
                (done - again) / 1e6,
                tree.size(),
                (drew - before) / 1e3 / DRAWS);
    }

    /** Types and layouts of all kinds; every fourth problem has groups or a batch, every tenth busy SMs. */
    private static Problem problem(SplittableRandom random, int number) {
        int groups = number % 8 == 3 ? random.nextInt(2, 9) : 1;
        int batch = number % 8 == 7 ? random.nextInt(2, 9) : 1;
        OperandTypes types = List.of(
                        OperandTypes.of(DataType.BF16),
                        OperandTypes.of(DataType.F16),
                        new OperandTypes(DataType.E4M3, DataType.E4M3, DataType.BF16),
                        new OperandTypes(DataType.E5M2, DataType.E4M3, DataType.F16),
                        new OperandTypes(DataType.BF16, DataType.BF16, DataType.F32))
                .get(random.nextInt(5));
        boolean narrow = types.a().bytes() == 1;
        OperandMajors majors = new OperandMajors(
                narrow || random.nextInt(4) > 0 ? Major.K : Major.M,
                narrow || random.nextInt(4) > 0 ? Major.K : Major.N,
                Major.N);
        Scenario scenario = new Scenario(number % 10 == 9 ? random.nextInt(1, 64) : 0);
        int step = 16 / Math.min(types.a().bytes(), types.d().bytes());
        return new Problem(
                Stream.generate(() ->
                                new ProblemShape(extent(random, step), extent(random, step), extent(random, step)))
                        .limit(groups)
                        .toList(),
                batch,
                types,
                majors,
                scenario);
    }

    /** From 1 to 32768 with a uniform logarithm, in multiples of what rows are aligned to. */
    private static int extent(SplittableRandom random, int step) {
        return Math.ceilDiv((int) Math.round(Math.pow(2, 15 * random.nextDouble())), step) * step;
    }
}
