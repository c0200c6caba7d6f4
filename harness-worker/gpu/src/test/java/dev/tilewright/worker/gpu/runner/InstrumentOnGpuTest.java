package dev.tilewright.worker.gpu.runner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.gate.statistics.Quantiles;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.Mode;
import dev.tilewright.model.trial.Stage;
import dev.tilewright.space.SpaceTree;
import dev.tilewright.worker.gpu.measure.Arm;
import dev.tilewright.worker.gpu.measure.Effects;
import dev.tilewright.worker.gpu.measure.FinalPlan;
import dev.tilewright.worker.gpu.measure.RacePlan;
import dev.tilewright.worker.gpu.measure.Run;
import dev.tilewright.worker.gpu.measure.SameClock;
import dev.tilewright.worker.gpu.measure.SettleRule;
import dev.tilewright.worker.gpu.measure.Timed;
import dev.tilewright.worker.gpu.measure.TimingPlan;
import dev.tilewright.worker.gpu.measure.TurnLength;
import dev.tilewright.worker.gpu.stats.Effect;
import dev.tilewright.worker.gpu.stats.race.FinalRule;
import dev.tilewright.worker.gpu.verify.TestData;
import dev.tilewright.worker.link.json.Json;
import dev.tilewright.worker.link.runner.Kernel;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Qualifies the instrument on a real GPU: one kernel against itself, and against itself with a known part of work more.
 * {@code -Dinstrument.json=FILE} writes what was found with its raw blocks, {@code -Dinstrument.repeats=N} says how
 * often each measurement is repeated.
 */
class InstrumentOnGpuTest extends OnGpu {

    /** Stricter than what races ask for. */
    private static final SettleRule SETTLED = new SettleRule(0.5e9, 3e9, 15e9, 0.005, 0.02);

    private static final List<String> SHAPES = List.of("2048x2048x2048", "4096x4096x4096", "8192x8192x512");
    private static final int REPEATS = Integer.getInteger("instrument.repeats", 20);
    private static final int BLOCKS = 40;
    private static final double ALPHA = 0.01;

    /** A launch of the slower arm has one inner launch more than this. */
    private static final int INNER_FOR_ONE_PERCENT = 100;

    private static final int INNER_FOR_TWO_PERCENT = 50;

    /** Five launches of a hundred would be long for a run at the same clock: one is enough where it is so many. */
    private static final TimingPlan INJECTED = new TimingPlan(
            1,
            1,
            3,
            2e6,
            new TurnLength(80e6, 75e6),
            new FinalPlan(new TurnLength(80e6, 75e6), FinalRule.STANDARD),
            new FinalPlan(new TurnLength(80e6, 75e6), FinalRule.STANDARD),
            7,
            7,
            SettleRule.RACE,
            RacePlan.SAME_CLOCK,
            RacePlan.BETWEEN_TEAMS,
            RacePlan.WITHIN_TEAMS,
            RacePlan.OF_PEERS);

    /**
     * What was found for a shape.
     *
     * @param plain hundred launches with the clock that was counted, power and temperature
     * @param meanDeviation standard deviation of the mean log-ratio of 40 mirrored blocks, over the repeats
     * @param sequentialDeviation of the log-ratio of as many runs of one arm and then of the other
     * @param varianceRatio how many times the variance is lower in mirrored blocks
     * @param alarms measurements of equal arms in which one of the two bounds at 1 % excluded zero
     * @param orderEffect greatest effect of the order
     * @param settled what was seen before the first block; {@code null} if the clock had settled
     */
    private record Finding(
            String shape,
            String config,
            Run plain,
            int repeats,
            double meanDeviation,
            double sequentialDeviation,
            double varianceRatio,
            int alarms,
            double orderEffect,
            int discarded,
            @Nullable String settled,
            List<Injected> injected,
            List<double[]> blocks) {}

    /**
     * A known slowdown.
     *
     * @param bias mean estimate less the truth
     * @param seen in how many repeats the lower bound at 1 % was above zero
     */
    private record Injected(double truth, double mean, double bias, double deviation, int seen, int repeats) {}

    /** Some launches of a kernel as one. */
    private record Repeated(String name, Arm arm, int inner) implements Arm {
        @Override
        public int sets() {
            return arm.sets();
        }

        @Override
        public void enqueue(int set) {
            for (int i = 0; i < inner; i++) {
                arm.enqueue((set + i) % arm.sets());
            }
        }

        @Override
        public int entriesPerLaunch() {
            return inner * arm.entriesPerLaunch();
        }
    }

    @Test
    void equalArmsAgreeAndKnownSlowdownsAreFound() throws IOException {
        List<Finding> findings = new ArrayList<>();
        for (String shape : SHAPES) {
            findings.add(qualify(shape));
            System.out.println(Json.mapper().writeValueAsString(findings.getLast()));
        }
        String file = System.getProperty("instrument.json");
        if (file != null) {
            Json.writeAtomically(Path.of(file), Json.pretty().writeValueAsBytes(findings));
        }
        assertThat(findings).allSatisfy(finding -> {
            assertThat(finding.meanDeviation()).as("A/A").isLessThanOrEqualTo(0.001);
            assertThat(finding.plain().smClockMhz().orElseThrow())
                    .as("cycles of an SM")
                    .isBetween(300.0, 2500.0);
            assertThat(finding.orderEffect()).isLessThan(0.003);
            assertThat(finding.injected()).allSatisfy(injected -> {
                assertThat(injected.bias()).isBetween(-0.002, 0.002);
                assertThat(injected.seen()).isEqualTo(injected.repeats());
            });
        });
    }

    private Finding qualify(String shape) {
        Problem problem = problem(shape);
        SpaceTree space = SpaceTree.of(FAMILY.space().space(problem, limits()).usual(Map.of()));
        Config config = FAMILY.space().anchor(space).orElseThrow();
        Kernel.Assembled kernel = kernel(problem, config, false);
        TestData data = bench.store().get(problem, SEED);
        try (LoadedKernel a = LoadedCubin.load(gpu, "a", kernel, data);
                LoadedKernel b = LoadedCubin.load(gpu, "b", kernel, data)) {
            SameClock first = new SameClock(bench.stopwatch(), TimingPlan.STANDARD, Stage.CONTEND, 0);
            String unsettled = first.settle(List.of(a, b), SETTLED).orElse(null);
            List<Effect> effects = new ArrayList<>();
            List<double[]> blocks = new ArrayList<>();
            double[] sequential = new double[REPEATS];
            int discarded = 0;
            for (int repeat = 0; repeat < REPEATS; repeat++) {
                Timed timed = measure(TimingPlan.STANDARD, a, b, repeat);
                discarded += timed.discards().size();
                effects.add(Effects.of(timed, "a", "b", ALPHA, repeat));
                blocks.add(timed.paired("a", "b", Mode.SUSTAINED).logRatios());
                sequential[repeat] = Math.log(sequential(b) / sequential(a));
            }
            double mirrored =
                    deviation(effects.stream().mapToDouble(Effect::mean).toArray());
            double apart = deviation(sequential);
            return new Finding(
                    shape,
                    config.canonical(),
                    bench.stopwatch().sustained(a, 100),
                    REPEATS,
                    mirrored,
                    apart,
                    apart * apart / (mirrored * mirrored),
                    (int) effects.stream()
                            .filter(effect -> effect.low() > 0 || effect.high() < 0)
                            .count(),
                    effects.stream()
                            .flatMap(effect -> effect.order().stream())
                            .mapToDouble(order -> Math.abs(order.gamma()))
                            .max()
                            .orElse(0),
                    discarded,
                    unsettled,
                    List.of(inject(a, b, INNER_FOR_ONE_PERCENT), inject(a, b, INNER_FOR_TWO_PERCENT)),
                    blocks);
        }
    }

    private Timed measure(TimingPlan plan, Arm a, Arm b, long seed) {
        SameClock clock = new SameClock(bench.stopwatch(), plan, Stage.CONTEND, seed);
        assertThat(clock.run(List.of(a, b), BLOCKS))
                .as(clock.timed().discards().toString())
                .isTrue();
        return clock.timed();
    }

    /** As many runs as a measurement has of each arm, one after the other. */
    private double sequential(Arm arm) {
        double launchNs = bench.stopwatch().sustained(arm, 5).launchNs();
        double[] runs = new double[BLOCKS];
        for (int run = 0; run < BLOCKS; run++) {
            runs[run] = bench.stopwatch()
                    .sustained(arm, Math.max(5, (int) Math.ceil(2e6 / launchNs)))
                    .launchNs();
        }
        return Quantiles.median(runs);
    }

    private Injected inject(Arm a, Arm b, int inner) {
        double truth = Math.log1p(1.0 / inner);
        int repeats = Math.max(3, REPEATS / 4);
        double[] means = new double[repeats];
        int seen = 0;
        for (int repeat = 0; repeat < repeats; repeat++) {
            Timed timed = measure(INJECTED, new Repeated("a", a, inner), new Repeated("b", b, inner + 1), repeat);
            Effect effect = Effects.of(timed, "a", "b", ALPHA, repeat);
            means[repeat] = effect.mean();
            seen += effect.low() > 0 ? 1 : 0;
        }
        double mean = Arrays.stream(means).average().orElseThrow();
        return new Injected(truth, mean, mean - truth, deviation(means), seen, repeats);
    }

    private static double deviation(double[] sample) {
        double mean = Arrays.stream(sample).average().orElseThrow();
        return Math.sqrt(Arrays.stream(sample).map(x -> (x - mean) * (x - mean)).sum() / (sample.length - 1));
    }
}
