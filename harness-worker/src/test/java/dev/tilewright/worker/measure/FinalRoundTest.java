package dev.tilewright.worker.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tilewright.model.trial.Mode;
import dev.tilewright.worker.device.cuda.FakeGpu;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class FinalRoundTest {

    private static final List<Mode> BOTH = List.of(Mode.SUSTAINED, Mode.COLD);

    private final FakeGpu gpu = new FakeGpu();
    private final List<Arm> arms = List.of(
            new FakeArm(gpu, "ours", 1_000_000, 2, 1),
            new FakeArm(gpu, "peer0", 1_100_000, 2, 1),
            new FakeArm(gpu, "peer1", 30_000_000, 2, 1));

    private FinalRound.Result run(long seed, AtomicInteger looks, int badLook) {
        FakeState state = new FakeState(() -> looks.getAndIncrement() == badLook ? 0x20 : 0x4);
        Stopwatch stopwatch = new Stopwatch(gpu, new RecordingGate(gpu, () -> true), state, new BusyMeter(gpu));
        return new FinalRound(stopwatch, TimingPlan.STANDARD, seed).run(arms, BOTH);
    }

    @Test
    void everyArmHasOneBlockInEveryTurn() {
        FinalRound.Result result = run(1, new AtomicInteger(), -1);
        assertThat(result.discarded()).isEmpty();
        for (Mode mode : BOTH) {
            for (Arm arm : arms) {
                assertThat(result.runs(arm.name(), mode)).hasSize(7);
            }
        }
        assertThat(result.runs("ours", Mode.SUSTAINED))
                .allSatisfy(run -> assertThat(run.launchNs()).isCloseTo(1_000_000, within(1e-3)));
    }

    @Test
    void anArmSettlesBeforeSeventyMillisecondsAreTimed() {
        run(1, new AtomicInteger(), -1);
        // The warm-up of all arms is first; then each turn has a settling and a timed run of the same arm.
        List<String> launches = gpu.history.stream()
                .filter(entry -> entry.startsWith("ours") || entry.startsWith("peer"))
                .toList();
        List<String> turns = launches.subList(15, launches.size());
        int length = 1;
        while (turns.get(length).equals(turns.getFirst())) {
            length++;
        }
        double launchNs = gpu.durationNs.get(turns.getFirst());
        int settle = (int) Math.max(5, Math.ceil(80e6 / launchNs));
        int timed = (int) Math.max(5, Math.ceil(75e6 / launchNs));
        assertThat(length).isEqualTo(settle + timed);
        assertThat(timed * launchNs).isGreaterThanOrEqualTo(70e6);
    }

    @Test
    void theOrderIsDrawnAnewInEachTurnAndTheSeedDecidesIt() {
        List<List<String>> orders = orders(run(5, new AtomicInteger(), -1));
        assertThat(Set.copyOf(orders)).hasSizeGreaterThan(1);
        assertThat(orders(run(5, new AtomicInteger(), -1))).isEqualTo(orders);
        assertThat(orders(run(6, new AtomicInteger(), -1))).isNotEqualTo(orders);
    }

    @Test
    void aThrottledTurnIsDiscardedForAllArmsAndRepeated() {
        FinalRound.Result result = run(1, new AtomicInteger(), 3 + 2 * 3 * 2 + 1);
        assertThat(result.discarded()).hasSize(1);
        assertThat(result.discarded().getFirst()).contains("turn 2").contains("0x20");
        for (Arm arm : arms) {
            assertThat(result.runs(arm.name(), Mode.SUSTAINED)).hasSize(7).noneMatch(Run::isInvalid);
        }
    }

    @Test
    void aGpuThatIsAlwaysThrottledEndsTheFinalWithoutBlocks() {
        Stopwatch stopwatch =
                new Stopwatch(gpu, new RecordingGate(gpu, () -> true), new FakeState(() -> 0x8), new BusyMeter(gpu));
        FinalRound.Result result = new FinalRound(stopwatch, TimingPlan.STANDARD, 1).run(arms, List.of(Mode.SUSTAINED));
        assertThat(result.blocks()).isEmpty();
        assertThat(new HashSet<>(result.discarded())).hasSize(3);
    }

    private static List<List<String>> orders(FinalRound.Result result) {
        List<List<String>> orders = new ArrayList<>();
        for (int turn = 0; turn < 7; turn++) {
            int index = turn;
            orders.add(result.blocks().stream()
                    .filter(block -> block.mode() == Mode.SUSTAINED && block.index() == index)
                    .map(TimedBlock::arm)
                    .toList());
        }
        return orders;
    }
}
