package dev.tilewright.worker.gpu.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tilewright.model.trial.Mode;
import dev.tilewright.model.trial.Question;
import dev.tilewright.model.trial.Stage;
import dev.tilewright.worker.gpu.stats.Effect;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A/A and injected slowdowns on a virtual clock: what the instrument must see, and what it must not. */
class SameClockTest {

    private static final double LAUNCH = 200_000;
    private static final int BLOCKS = 40;
    private static final double ALPHA = 0.01;

    private static final DoubleUnaryOperator STEADY = now -> 1;

    /** Falls by 2 % a second, as a GPU does that gets hot. */
    private static final DoubleUnaryOperator DRIFT = now -> 1 - 0.02 * now / 1e9;

    private static Timed measure(VirtualGpu virtual, double slowdown, long seed) {
        SameClock clock = new SameClock(virtual.stopwatch(), TimingPlan.STANDARD, Stage.CONTEND, seed);
        Arm a = virtual.arm("a", LAUNCH);
        Arm b = virtual.arm("b", LAUNCH * (1 + slowdown));
        assertThat(clock.run(List.of(a, b), BLOCKS)).isTrue();
        return clock.timed();
    }

    private static Effect effect(DoubleUnaryOperator clock, double slowdown, long seed) {
        Timed timed = measure(new VirtualGpu(clock, 0.005, seed), slowdown, seed);
        return Effects.of(timed, "a", "b", ALPHA, seed);
    }

    @Test
    void equalArmsAreNotFoundToDiffer() {
        int alarms = 0;
        double squares = 0;
        int runs = 200;
        for (int seed = 0; seed < runs; seed++) {
            Effect effect = effect(DRIFT, 0, seed);
            alarms += effect.low() > 0 || effect.high() < 0 ? 1 : 0;
            squares += effect.mean() * effect.mean();
        }
        assertThat(alarms).as("two bounds of 1 % each, of " + runs).isLessThanOrEqualTo(9);
        assertThat(Math.sqrt(squares / runs)).as("deviation of the estimate").isLessThan(0.001);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0.01, 0.02})
    void aSlowdownIsSeenAndItsSizeIsRight(double slowdown) {
        double mean = 0;
        for (int seed = 0; seed < 20; seed++) {
            Effect effect = effect(DRIFT, slowdown, seed);
            assertThat(effect.low()).as("seed " + seed).isPositive();
            assertThat(effect.p()).isLessThan(1e-3);
            assertThat(effect.order().orElseThrow().gamma()).isBetween(-0.003, 0.003);
            mean += effect.mean() / 20;
        }
        assertThat(Math.expm1(mean)).isCloseTo(slowdown, within(0.001));
    }

    @Test
    void driftCancelsInMirroredBlocksAndNotWhenTheArmsRunOneAfterTheOther() {
        VirtualGpu virtual = new VirtualGpu(DRIFT, 0, 1);
        double mirrored = Effects.of(measure(virtual, 0, 1), "a", "b", ALPHA, 1).mean();
        assertThat(mirrored).as("without noise nothing is left").isCloseTo(0, within(2e-5));

        VirtualGpu again = new VirtualGpu(DRIFT, 0, 1);
        Stopwatch stopwatch = again.stopwatch();
        double first = mean(stopwatch, again.arm("a", LAUNCH));
        double second = mean(stopwatch, again.arm("b", LAUNCH));
        assertThat(Math.log(second / first))
                .as("equal arms, one after the other")
                .isGreaterThan(0.0015);
    }

    private static double mean(Stopwatch stopwatch, Arm arm) {
        double sum = 0;
        for (int run = 0; run < BLOCKS; run++) {
            sum += stopwatch.sustained(arm, 10).launchNs();
        }
        return sum / BLOCKS;
    }

    @Test
    void blocksComeInMirroredPairsOfWhichBothKindsOccur() {
        Timed timed = measure(new VirtualGpu(STEADY, 0, 1), 0, 1);
        Set<String> kinds = new HashSet<>();
        for (int block = 0; block < BLOCKS; block += 2) {
            kinds.add(order(timed, block) + order(timed, block + 1));
        }
        assertThat(kinds).containsExactlyInAnyOrder("abba", "baab");
        assertThat(timed.blocks())
                .allSatisfy(block -> assertThat(block.question()).isEqualTo(Question.SAME_CLOCK));
        assertThat(timed.runs("a", Mode.SUSTAINED)).allSatisfy(run -> {
            assertThat(run.launches()).as("at least 2 ms").isEqualTo(10);
            assertThat(run.smClockMhz()).hasValue(1500);
        });
    }

    @Test
    void whereASetLiesDoesNotShowBecauseEveryRunMeetsAllEquallyOften() {
        VirtualGpu virtual = new VirtualGpu(STEADY, 0, 1);
        Arm a = new Scattered("a", virtual.arm("a near", 5_000), virtual.arm("a far", 6_000));
        Arm b = new Scattered("b", virtual.arm("b near", 5_050), virtual.arm("b far", 6_060));
        SameClock clock = new SameClock(virtual.stopwatch(), TimingPlan.STANDARD, Stage.CONTEND, 1);
        assertThat(clock.run(List.of(a, b), BLOCKS)).isTrue();
        double[] ratios = clock.timed().paired("a", "b", Mode.SUSTAINED).logRatios();
        assertThat(ratios).hasSize(BLOCKS);
        for (double ratio : ratios) {
            assertThat(Math.expm1(Math.abs(ratio))).isCloseTo(0.01, within(1e-9));
        }
    }

    /** Of 64 sets 21 lie far away, side by side, and a launch on them takes longer. */
    private record Scattered(String name, Arm near, Arm far) implements Arm {
        @Override
        public int sets() {
            return 64;
        }

        @Override
        public void enqueue(int set) {
            (set < 21 ? far : near).enqueue(0);
        }

        @Override
        public int entriesPerLaunch() {
            return 1;
        }
    }

    private static String order(Timed timed, int index) {
        StringBuilder order = new StringBuilder();
        timed.blocks().stream().filter(block -> block.index() == index).forEach(block -> order.append(block.arm()));
        return order.toString();
    }

    @Test
    void aThrottledBlockIsDiscardedForBothArmsAndRepeatedInItsOrder() {
        VirtualGpu virtual = new VirtualGpu(STEADY, 0, 1);
        virtual.reasons = now -> now > 10e6 && now < 13e6 ? 0x44 : 0x4;
        Timed timed = measure(virtual, 0, 1);
        assertThat(timed.discards())
                .isNotEmpty()
                .allSatisfy(discard -> assertThat(discard.reason()).contains("0x44"));
        assertThat(timed.runs("a", Mode.SUSTAINED)).hasSize(BLOCKS);
        assertThat(timed.runs("b", Mode.SUSTAINED))
                .hasSize(BLOCKS)
                .allSatisfy(run -> assertThat(run.slowdown()).isEmpty());
        for (int block = 0; block < BLOCKS; block += 2) {
            assertThat(order(timed, block) + order(timed, block + 1)).isIn("abba", "baab");
        }
    }

    @Test
    void aBlockWhosePlugGaveUpOrThatHadCompanyIsDiscarded() {
        VirtualGpu virtual = new VirtualGpu(STEADY, 0, 1);
        virtual.held = () -> virtual.nowNs() < 20e6 || virtual.nowNs() > 26e6;
        virtual.processes = now -> now > 60e6 && now < 66e6 ? 2 : 1;
        Timed timed = measure(virtual, 0, 1);
        assertThat(timed.discards())
                .extracting("reason", String.class)
                .anyMatch(reason -> reason.endsWith("the plug gave up 3 times"))
                .anyMatch(reason -> reason.equals("2 processes have a context on the GPU, at first it was 1"));
        assertThat(timed.runs("b", Mode.SUSTAINED)).hasSize(BLOCKS);
    }

    /** Named is who computed; who came and computed nothing does no harm. */
    @Test
    void aBlockInWhichSomebodyElseComputedIsDiscarded() {
        VirtualGpu virtual = new VirtualGpu(STEADY, 0, 1);
        virtual.observed = true;
        virtual.processes = now -> now > 60e6 && now < 66e6 ? 2 : 1;
        Timed timed = measure(virtual, 0, 1);
        assertThat(timed.discards())
                .isNotEmpty()
                .extracting("reason", String.class)
                .containsOnly("process 2 (p2) computed on the GPU too");
        assertThat(timed.runs("b", Mode.SUSTAINED)).hasSize(BLOCKS);

        virtual = new VirtualGpu(STEADY, 0, 1);
        virtual.observed = true;
        virtual.processes = now -> 2;
        SameClock clock = new SameClock(virtual.stopwatch(), TimingPlan.STANDARD, Stage.FINAL, 1);
        assertThat(clock.run(List.of(virtual.arm("a", LAUNCH), virtual.arm("b", LAUNCH)), BLOCKS))
                .as("it never ends")
                .isFalse();
        assertThat(clock.timed().blocks()).isEmpty();
    }

    @Test
    void moreThanAFifthDiscardedIsNoise() {
        VirtualGpu virtual = new VirtualGpu(STEADY, 0, 1);
        virtual.reasons = now -> now > 30e6 ? 0x8 : 0x4;
        SameClock clock = new SameClock(virtual.stopwatch(), TimingPlan.STANDARD, Stage.CONTEND, 1);
        List<Arm> arms = List.of(virtual.arm("a", LAUNCH), virtual.arm("b", LAUNCH));
        assertThat(clock.run(arms, BLOCKS)).isFalse();
        assertThat(clock.timed().discards())
                .extracting("index")
                .as("one block, tried again and again")
                .containsOnly(7);
        assertThat(clock.timed().runs("a", Mode.SUSTAINED))
                .as("what was good before")
                .hasSize(7);
    }

    @Test
    void armsThatRanAtDifferentClocksAreReported() {
        // 3 % lower exactly while one of the arms runs.
        double[] share = {1};
        VirtualGpu virtual = new VirtualGpu(now -> share[0], 0, 1);
        Arm a = new Drawing(virtual.arm("a", LAUNCH), share, 1);
        Arm b = new Drawing(virtual.arm("b", LAUNCH), share, 0.97);
        SameClock clock = new SameClock(virtual.stopwatch(), TimingPlan.STANDARD, Stage.CONTEND, 1);
        clock.run(List.of(a, b), BLOCKS);
        assertThat(clock.timed().notes())
                .containsExactly("the arms did not run at one clock: their medians are from 1455 to 1500 MHz");
        assertThat(measure(new VirtualGpu(DRIFT, 0.005, 1), 0.02, 1).notes()).isEmpty();
    }

    /** Draws so much that the clock goes at once to where it leaves it. */
    private record Drawing(Arm arm, double[] share, double leaves) implements Arm {
        @Override
        public String name() {
            return arm.name();
        }

        @Override
        public int sets() {
            share[0] = leaves;
            return 1;
        }

        @Override
        public void enqueue(int set) {
            arm.enqueue(set);
        }

        @Override
        public int entriesPerLaunch() {
            return 1;
        }
    }
}
