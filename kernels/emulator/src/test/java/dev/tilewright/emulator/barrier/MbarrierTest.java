package dev.tilewright.emulator.barrier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.emulator.hazard.HazardFound;
import dev.tilewright.emulator.hazard.Site;
import dev.tilewright.emulator.order.Evidence;
import dev.tilewright.emulator.order.FenceClock;
import dev.tilewright.emulator.order.Order;
import dev.tilewright.emulator.order.PhaseOrder;
import dev.tilewright.testing.Between;
import dev.tilewright.testing.Draws;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class MbarrierTest {
    /** An instruction at a site. */
    private record At(Site site) implements Evidence {
        @Override
        public int statement() {
            return site.statement();
        }

        @Override
        public Site site(int lane) {
            return site;
        }
    }

    private static final Evidence BY = new At(new Site("kernel", 3, 7, "expect", 0, 0, 2, 0));

    private static Mbarrier barrier(int count) {
        return new Mbarrier("bar", 0, count, 0, new FenceClock(1), new PhaseOrder(new Order(), 0, 0, "bar"));
    }

    /** In whatever order arrivals, announcements and bytes come, the phase ends with the last of them. */
    @Draws
    void aPhaseEndsWithItsLastEvent(
            @Between(min = 1, max = 8) int count,
            @Between(max = 4) int copies,
            @Between(min = 1, max = 4) int phases,
            long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Mbarrier barrier = barrier(count);
        for (int phase = 0; phase < phases; phase++) {
            List<Runnable> events = new ArrayList<>();
            // The first arrival announces all bytes, as kernels do; bytes may come before or after any other arrival.
            barrier.expect(copies * 16L, BY);
            for (int i = 0; i < count; i++) {
                events.add(() -> barrier.arrive(1, "somebody"));
            }
            for (int i = 0; i < copies; i++) {
                events.add(() -> barrier.complete(16, BY));
            }
            while (!events.isEmpty()) {
                assertThat(barrier.phase()).isEqualTo(phase);
                assertThat(barrier.passed(phase & 1)).isFalse();
                assertThat(barrier.passed(phase & 1 ^ 1)).isTrue();
                events.remove(random.nextInt(events.size())).run();
            }
            assertThat(barrier.phase()).isEqualTo(phase + 1);
            assertThat(barrier.passed(phase & 1)).isTrue();
            assertThat(barrier.observed()).isEqualTo(phase);
            assertThat(barrier.state().pending()).isEqualTo(count);
            assertThat(barrier.tx()).isZero();
        }
    }

    @Test
    void bytesMayComeBeforeTheyAreAnnounced() {
        Mbarrier barrier = barrier(1);
        barrier.complete(64, BY);
        assertThat(barrier.tx()).isEqualTo(-64);
        assertThat(barrier.phase()).isZero();
        barrier.expect(64, BY);
        assertThat(barrier.phase()).isZero();
        barrier.arrive(1, "somebody");
        assertThat(barrier.phase()).isEqualTo(1);
    }

    @Test
    void wakesEachWaiterOnce() {
        Mbarrier barrier = barrier(1);
        List<String> woken = new ArrayList<>();
        barrier.whenChanged(() -> woken.add("a"));
        barrier.whenChanged(() -> woken.add("b"));
        barrier.arrive(1, "somebody");
        barrier.arrive(1, "somebody");
        assertThat(woken).containsExactly("a", "b");
    }

    @Test
    void refusesTooManyArrivalsAndBytes() {
        assertThatThrownBy(() -> barrier(2).arrive(3, "somebody"))
                .isInstanceOf(HazardFound.class)
                .hasMessageContaining("arrival of 3 with 2 pending");
        assertThatThrownBy(() -> barrier(1).expect(1 << 20, BY)).hasMessageContaining("tx-count can never balance");
        assertThatThrownBy(() -> barrier(0)).hasMessageContaining("init with a count of 0");
    }

    @Test
    void initIsVisibleOnceItsThreadHasFenced() {
        FenceClock fences = new FenceClock(2);
        Mbarrier barrier = new Mbarrier("bar", 0, 1, 1, fences, new PhaseOrder(new Order(), 0, 0, "bar"));
        fences.fenceInit(0);
        assertThatThrownBy(() -> barrier.requireVisible("a copy", 0)).hasMessageContaining("init not visible");
        fences.fenceInit(1);
        barrier.requireVisible("a copy", 0);
        barrier.requireVisible("a copy", 1);
    }

    @Test
    void barrierOfTheCtaMakesAnInitVisibleThereAlone() {
        FenceClock fences = new FenceClock(2);
        Mbarrier barrier = new Mbarrier("bar", 0, 1, 1, fences, new PhaseOrder(new Order(), 0, 0, "bar"));
        fences.meet(0);
        assertThatThrownBy(() -> barrier.requireVisible("a copy", 0)).hasMessageContaining("init not visible");
        fences.meet(1);
        barrier.requireVisible("a copy", 0);
        assertThatThrownBy(() -> barrier.requireVisible("a copy", 1)).hasMessageContaining("init not visible");
    }
}
