package dev.tilewright.proof;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.emulator.run.Statistics;
import dev.tilewright.emulator.run.Statistics.BarrierPhases;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DepthTest {

    private static Statistics run(BarrierPhases... barriers) {
        return new Statistics(1, 1, 1, 2, List.of(barriers));
    }

    private static Depth depth(Map<String, Integer> counts) {
        return new Depth(new TreeMap<>(counts));
    }

    @Test
    void aRingHasWrappedAsOftenAsItsSlowestBarrierInAnyCta() {
        Depth wraps = Depth.wraps(run(
                new BarrierPhases("loadFull[0]", 0, 4, true),
                new BarrierPhases("loadFull[1]", 0, 3, true),
                new BarrierPhases("loadFull[0]", 1, 3, true),
                new BarrierPhases("loadFull[1]", 1, 2, true),
                new BarrierPhases("tileFull[0]", 0, 5, true),
                new BarrierPhases("tileFull[0]", 1, 5, true)));

        assertThat(wraps.counts()).isEqualTo(Map.of("wraps of loadFull", 2, "wraps of tileFull", 5));
        assertThat(wraps.lacking()).containsExactly("wraps of loadFull: 2, a proof needs 3");
    }

    @Test
    void aSlotThatWasNeverFilledCounts() {
        Depth wraps = Depth.wraps(
                run(new BarrierPhases("loadFull[0]", 0, 1, true), new BarrierPhases("loadFull[1]", 0, 0, true)));

        assertThat(wraps.counts()).containsEntry("wraps of loadFull", 0);
    }

    /** The empty barriers of a cluster's tile ring are used in one CTA; every CTA initialises its own. */
    @Test
    void aRingThatACtaDoesNotUseIsLeftOutUnlessNobodyUsesIt() {
        assertThat(Depth.wraps(run(
                                new BarrierPhases("tileEmpty[0]", 0, 4, true),
                                new BarrierPhases("tileEmpty[0]", 1, 0, true)))
                        .counts())
                .containsEntry("wraps of tileEmpty", 4);
        assertThat(Depth.wraps(run(
                                new BarrierPhases("tileEmpty[0]", 0, 0, true),
                                new BarrierPhases("tileEmpty[0]", 1, 0, true)))
                        .counts())
                .containsEntry("wraps of tileEmpty", 0);
    }

    @Test
    void barriersWithoutANameAreRingsOfOne() {
        Depth wraps = Depth.wraps(
                run(new BarrierPhases("shared 0x400", 0, 7, true), new BarrierPhases("shared 0x408", 0, 2, true)));

        assertThat(wraps.counts()).isEqualTo(Map.of("wraps of shared 0x400", 7, "wraps of shared 0x408", 2));
    }

    @Test
    void whatOneRunDidNotReachAnotherMayHave() {
        Depth both = depth(Map.of("a", 2, "b", 5)).orDeeper(depth(Map.of("a", 3, "b", 1)));

        assertThat(both.counts()).isEqualTo(Map.of("a", 3, "b", 5));
        assertThat(both.lacking()).isEmpty();
    }

    @Test
    void reachesAGoalInEveryCount() {
        Depth goal = depth(Map.of("a", 9, "b", 2)).atMost(3);

        assertThat(goal.counts()).isEqualTo(Map.of("a", 3, "b", 2));
        assertThat(depth(Map.of("a", 3, "b", 2)).reaches(goal)).isTrue();
        assertThat(depth(Map.of("a", 3, "b", 1)).reaches(goal)).isFalse();
        assertThat(depth(Map.of("a", 3)).reaches(goal)).isFalse();
    }

    @ParameterizedTest
    @CsvSource({"12, 1, 4, 3", "11, 1, 4, 2", "12, 2, 4, 3", "10, 2, 5, 2", "6, 2, 1, 3", "3, 1, 4, 0"})
    void wavesAreWholeFillsOfTheSms(int ctas, int clusterSize, int sms, int waves) {
        assertThat(Depth.waves(ctas, clusterSize, sms)).isEqualTo(waves);
    }
}
