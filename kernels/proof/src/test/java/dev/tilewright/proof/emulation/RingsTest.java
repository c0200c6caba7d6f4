package dev.tilewright.proof.emulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.emulator.run.Statistics;
import dev.tilewright.emulator.run.Statistics.BarrierPhases;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RingsTest {
    private static Rings rings(BarrierPhases... barriers) {
        return Rings.of(new Statistics(1, 0, 0, 2, List.of(barriers)));
    }

    @Test
    void theCtaThatUsedABarrierLeastCounts() {
        Rings rings = rings(
                new BarrierPhases("full[0]", 0, 9, true),
                new BarrierPhases("full[0]", 1, 2, true),
                new BarrierPhases("empty[0]", 0, 4, true),
                new BarrierPhases("empty[0]", 1, 0, false));
        assertThat(rings.phases()).isEqualTo(Map.of("full[0]", 2, "empty[0]", 4));
        assertThat(rings.lacking())
                .containsExactly("mbarrier full[0] completed 2 phases in the CTA that used it least, a proof needs 3");
    }

    @Test
    void anUnusedSlotOfADeclaredRingHasNotWrapped() {
        Rings rings = rings(
                new BarrierPhases("full[0]", 0, 5, true),
                new BarrierPhases("full[1]", 0, 0, false),
                new BarrierPhases("spare[0]", 0, 0, false),
                new BarrierPhases("bars+8", 0, 0, false),
                new BarrierPhases("bars+0", 0, 3, true));
        assertThat(rings.phases()).isEqualTo(Map.of("full[0]", 5, "full[1]", 0, "bars+0", 3));
        assertThat(rings.unused()).containsExactly("bars+8", "spare[0]");
        assertThat(rings.lacking()).hasSize(1).first().asString().contains("full[1] completed 0");
    }

    @Test
    void aSlotThatOneOfTheUsersNeverFilledHasNotWrapped() {
        Rings rings = rings(
                new BarrierPhases("full[0]", 0, 5, true),
                new BarrierPhases("full[1]", 0, 4, true),
                new BarrierPhases("full[0]", 1, 3, true),
                new BarrierPhases("full[1]", 1, 0, false));
        assertThat(rings.phases()).isEqualTo(Map.of("full[0]", 3, "full[1]", 0));
        assertThat(rings.wraps()).isEqualTo(Map.of("full", 0));
    }

    @Test
    void aRingThatNobodyUsesHasNotWrapped() {
        Rings rings = rings(new BarrierPhases("full[0]", 0, 4, true), new BarrierPhases("empty[0]", 0, 0, true));
        assertThat(rings.wraps()).isEqualTo(Map.of("full", 4, "empty", 0));
        assertThat(rings.lacking()).isEmpty();
    }

    @Test
    void whatIsWaitedForOnceCannotWrap() {
        Rings rings = rings(new BarrierPhases("once+0", 0, 1, false), new BarrierPhases("ring+0", 0, 1, true));
        assertThat(rings.once()).containsExactly("once+0");
        assertThat(rings.lacking()).hasSize(1).first().asString().contains("ring+0");
    }

    @Test
    void theRunThatUsedABarrierMostCounts() {
        Rings first = rings(new BarrierPhases("a", 0, 2, true), new BarrierPhases("b", 0, 0, false));
        Rings second = rings(new BarrierPhases("a", 0, 5, true), new BarrierPhases("b", 0, 4, true));
        assertThat(first.orDeeper(second).phases()).isEqualTo(Map.of("a", 5, "b", 4));
        assertThat(first.orDeeper(second).unused()).isEmpty();
        assertThat(second.orDeeper(first)).isEqualTo(first.orDeeper(second));
    }
}
