package dev.tilewright.gemm.space;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class ClusterDealTest {

    @Test
    void clustersOfAGpcHaveNeighbouringPlaces() {
        ClusterDeal deal = new ClusterDeal(Map.of(2, List.of(4, 0, 9, 0, 9, 4)), 12);
        assertThat(deal.places(2, 6)).containsExactly(2, 0, 4, 1, 5, 3);
    }

    /** A grid that is smaller than the GPU has the first clusters of one that fills it. */
    @Test
    void ofAGridThatLeavesSmsFreeTheFirstCount() {
        ClusterDeal deal = new ClusterDeal(Map.of(2, List.of(4, 0, 9, 0, 9, 4)), 12);
        assertThat(deal.places(2, 4)).containsExactly(2, 0, 3, 1);
    }

    @Test
    void laterWavesAreDealtLikeTheFirst() {
        ClusterDeal deal = new ClusterDeal(Map.of(1, List.of(1, 0, 1, 0)), 4);
        assertThat(deal.places(1, 10)).containsExactly(2, 0, 3, 1, 6, 4, 7, 5, 9, 8);
    }

    /** 132 SMs are 8 GPCs, 4 are 2. */
    @Test
    void clustersOfASizeThatNobodySawAreDealtInTurn() {
        assertThat(ClusterDeal.assumed(4).places(1, 4)).containsExactly(0, 2, 1, 3);
        List<Integer> places =
                DeviceLimits.of(132).dealing(Map.of(1, List.of(0))).deal().places(2, 66);
        assertThat(places.subList(0, 10)).containsExactly(0, 9, 18, 26, 34, 42, 50, 58, 1, 10);
    }

    @Property(tries = 200)
    void placesAreAPermutation(
            @ForAll List<@IntRange(max = 8) Integer> gpcs,
            @ForAll @IntRange(min = 1, max = 8) int clusterSize,
            @ForAll @IntRange(min = 1, max = 600) int clusters,
            @ForAll @IntRange(min = 1, max = 160) int sms) {
        Map<Integer, List<Integer>> seen = gpcs.isEmpty() ? Map.of() : Map.of(2, gpcs);
        assertThat(new ClusterDeal(seen, sms).places(clusterSize, clusters))
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(0, clusters).boxed().toList());
    }
}
