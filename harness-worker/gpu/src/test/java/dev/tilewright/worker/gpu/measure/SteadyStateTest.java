package dev.tilewright.worker.gpu.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tilewright.model.trial.Discard;
import dev.tilewright.model.trial.Mode;
import dev.tilewright.model.trial.Question;
import dev.tilewright.model.trial.Stage;
import dev.tilewright.worker.gpu.cuda.FakeGpu;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class SteadyStateTest {

    private static final int TURNS = 10;

    private final FakeGpu gpu = new FakeGpu();
    private final List<Arm> arms = List.of(
            new FakeArm(gpu, "ours", 1_000_000, 2, 1),
            new FakeArm(gpu, "peer0", 1_100_000, 2, 1),
            new FakeArm(gpu, "peer1", 30_000_000, 2, 1));

    private SteadyState steady(Mode mode, long seed, AtomicInteger looks, int badLook) {
        FakeState state = new FakeState(() -> looks.getAndIncrement() == badLook ? 0x20 : 0x4);
        Stopwatch stopwatch = new Stopwatch(gpu, new RecordingPlug(gpu, () -> true), state, new BusyMeter(gpu));
        return new SteadyState(stopwatch, TimingPlan.STANDARD, TurnLength.FINAL, mode, Stage.FINAL, seed);
    }

    private Timed run(Mode mode, long seed, int badLook) {
        SteadyState steady = steady(mode, seed, new AtomicInteger(), badLook);
        assertThat(steady.run(arms, TURNS)).isTrue();
        return steady.timed();
    }

    @ParameterizedTest
    @EnumSource(Mode.class)
    void everyArmHasOneBlockInEveryTurn(Mode mode) {
        Timed timed = run(mode, 1, -1);
        assertThat(timed.discards()).isEmpty();
        for (Arm arm : arms) {
            assertThat(timed.runs(arm.name(), mode)).hasSize(TURNS);
        }
        assertThat(timed.blocks()).allSatisfy(block -> {
            assertThat(block.question()).isEqualTo(Question.STEADY_STATE);
            assertThat(block.stage()).isEqualTo(Stage.FINAL);
        });
        assertThat(timed.runs("ours", mode))
                .allSatisfy(run -> assertThat(run.launchNs()).isCloseTo(1_000_000, within(1e-3)));
    }

    @Test
    void anArmSettlesBeforeAFifthOfASecondIsTimed() {
        SteadyState steady = steady(Mode.SUSTAINED, 1, new AtomicInteger(), -1);
        steady.run(arms, 1);
        gpu.history.clear();
        steady.run(arms, 1);
        List<String> launches = gpu.history.stream()
                .filter(entry -> entry.startsWith("ours") || entry.startsWith("peer"))
                .toList();
        int length = 1;
        while (launches.get(length).equals(launches.getFirst())) {
            length++;
        }
        double launchNs = gpu.durationNs.get(launches.getFirst());
        int settle = 2 * (int) Math.ceil(100e6 / (2 * launchNs));
        int timed = 2 * (int) Math.ceil(200e6 / (2 * launchNs));
        assertThat(length).isEqualTo(settle + timed);
        assertThat(timed * launchNs).isGreaterThanOrEqualTo(200e6);
    }

    @Test
    void theOrderIsDrawnAnewInEachTurnAndTheSeedDecidesIt() {
        List<List<String>> orders = orders(run(Mode.SUSTAINED, 5, -1));
        assertThat(Set.copyOf(orders)).hasSizeGreaterThan(1);
        assertThat(orders(run(Mode.SUSTAINED, 5, -1))).isEqualTo(orders);
        assertThat(orders(run(Mode.SUSTAINED, 6, -1))).isNotEqualTo(orders);
    }

    @Test
    void aThrottledTurnIsDiscardedForAllArmsAndRepeated() {
        // Three looks for the durations, then two for each arm in each turn.
        Timed timed = run(Mode.SUSTAINED, 1, 3 + 2 * 3 * 2 + 1);
        assertThat(timed.discards()).hasSize(1);
        Discard discard = timed.discards().getFirst();
        assertThat(discard.index()).isEqualTo(2);
        assertThat(discard.reason()).startsWith("thermal slowdown by software (throttle reasons 0x20) while ");
        for (Arm arm : arms) {
            assertThat(timed.runs(arm.name(), Mode.SUSTAINED))
                    .hasSize(TURNS)
                    .allSatisfy(run -> assertThat(run.slowdown()).isEmpty());
        }
    }

    @Test
    void aGpuThatIsAlwaysThrottledEndsItWithoutBlocks() {
        Stopwatch stopwatch =
                new Stopwatch(gpu, new RecordingPlug(gpu, () -> true), new FakeState(() -> 0x8), new BusyMeter(gpu));
        SteadyState steady =
                new SteadyState(stopwatch, TimingPlan.STANDARD, TurnLength.FINAL, Mode.SUSTAINED, Stage.FINAL, 1);
        assertThat(steady.run(arms, TURNS)).isFalse();
        assertThat(steady.timed().blocks()).isEmpty();
        assertThat(steady.timed().discards())
                .as("three turns of three arms: two are a fifth of ten")
                .hasSize(9);
    }

    @Test
    void moreTurnsGoOnWhereTheFirstEnded() {
        SteadyState steady = steady(Mode.SUSTAINED, 5, new AtomicInteger(), -1);
        assertThat(steady.run(arms, TURNS)).isTrue();
        List<List<String>> first = orders(steady.timed(), TURNS);
        assertThat(steady.run(arms, 0)).isTrue();
        assertThat(steady.timed().blocks()).hasSize(3 * TURNS);
        assertThat(steady.run(arms, 17)).isTrue();
        List<List<String>> all = orders(steady.timed(), TURNS + 17);
        assertThat(all).allSatisfy(turn -> assertThat(turn).hasSize(3));
        assertThat(all.subList(0, TURNS)).isEqualTo(first);
        assertThat(all.subList(TURNS, 2 * TURNS)).isNotEqualTo(first);
        assertThat(steady.timed().paired("ours", "peer0", Mode.SUSTAINED).logRatios())
                .hasSize(TURNS + 17);
    }

    @ParameterizedTest
    @CsvSource({"10, true", "11, false"})
    void aFifthOfBothStagesMayBeDiscarded(int hotTurns, boolean counts) {
        // Three looks for the durations, then two for each arm in each turn.
        int from = 3 + 6 * TURNS;
        AtomicInteger looks = new AtomicInteger();
        FakeState state = new FakeState(() -> {
            int look = looks.getAndIncrement();
            return look >= from && look < from + 6 * hotTurns ? 0x20 : 0x4;
        });
        Stopwatch stopwatch = new Stopwatch(gpu, new RecordingPlug(gpu, () -> true), state, new BusyMeter(gpu));
        SteadyState steady =
                new SteadyState(stopwatch, TimingPlan.STANDARD, TurnLength.FINAL, Mode.SUSTAINED, Stage.FINAL, 1);
        assertThat(steady.run(arms, TURNS)).isTrue();
        assertThat(steady.run(arms, 30)).isEqualTo(counts);
        assertThat(steady.timed().runs("ours", Mode.SUSTAINED)).hasSize(counts ? 40 : TURNS);
    }

    private static List<List<String>> orders(Timed timed) {
        return orders(timed, TURNS);
    }

    private static List<List<String>> orders(Timed timed, int turns) {
        List<List<String>> orders = new ArrayList<>();
        for (int turn = 0; turn < turns; turn++) {
            int index = turn;
            orders.add(timed.blocks().stream()
                    .filter(block -> block.index() == index)
                    .map(TimedBlock::arm)
                    .toList());
        }
        return orders;
    }
}
