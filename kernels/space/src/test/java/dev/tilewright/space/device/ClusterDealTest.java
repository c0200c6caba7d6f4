package dev.tilewright.space.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.testing.Between;
import dev.tilewright.testing.Draw;
import dev.tilewright.testing.Draws;
import dev.tilewright.testing.From;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ClusterDealTest {

    /** What an H200 showed of clusters of two: four pairs that are in no GPC, and one GPC that is half as large. */
    private static final List<Integer> SEEN = List.of(
            126, 128, 130, 124, 14, 0, 2, 4, 6, 8, 10, 12, 14, 0, 2, 4, 6, 8, 10, 12, 14, 0, 2, 4, 6, 8, 10, 12, 14, 0,
            2, 4, 6, 8, 10, 12, 14, 2, 4, 6, 8, 10, 12, 14, 2, 4, 6, 8, 10, 12, 14, 2, 4, 6, 8, 10, 12, 14, 2, 4, 6, 8,
            10, 12, 14, 12);

    private static List<Integer> numbers(ClusterDeal deal, int clusters) {
        return IntStream.range(0, clusters).map(deal::inGpcOrder).boxed().toList();
    }

    @Test
    void roundsAreFoundInWhatALaunchShows() {
        assertThat(ClusterDeal.of(SEEN)).isEqualTo(new ClusterDeal(4, 8, 4, 7, 4));
        assertThat(ClusterDeal.of(List.of(5, 5, 5, 7, 7))).isEqualTo(new ClusterDeal(0, 1, 3, 0, 0));
        assertThat(ClusterDeal.of(List.of(1, 2, 3)).rounds()).isZero();
        assertThat(ClusterDeal.of(List.of()).rounds()).isZero();
    }

    /** Clusters of one GPC follow each other: first those of the rounds, then those of the later rounds. */
    @Test
    void clustersOfATurnHaveNeighbouringPlaces() {
        List<Integer> numbers = numbers(ClusterDeal.of(SEEN), 66);
        for (int gpc = 0; gpc < 8; gpc++) {
            for (int round = 0; round < 4; round++) {
                assertThat(numbers.get(4 + gpc + 8 * round)).isEqualTo(4 + 4 * gpc + round);
            }
        }
        assertThat(numbers.get(36)).isEqualTo(36);
        assertThat(numbers.get(43)).isEqualTo(37);
        assertThat(numbers.get(37)).isEqualTo(40);
        assertThat(List.of(numbers.getFirst(), numbers.get(3), numbers.get(64), numbers.get(65)))
                .containsExactly(0, 3, 64, 65);
    }

    /** Which GPC is the first has no part in it. */
    @Test
    void aLaunchThatBeginsElsewhereShowsTheSame() {
        List<Integer> turned =
                SEEN.stream().map(gpc -> gpc > 14 ? gpc : (gpc + 4) % 16).toList();
        assertThat(ClusterDeal.of(turned)).isEqualTo(ClusterDeal.of(SEEN));
    }

    @Test
    void aSmallerLaunchHasFewerRounds() {
        ClusterDeal deal = ClusterDeal.of(SEEN);
        assertThat(deal.within(66)).isEqualTo(deal);
        assertThat(deal.within(50)).isEqualTo(new ClusterDeal(4, 8, 4, 7, 2));
        assertThat(deal.within(30)).isEqualTo(new ClusterDeal(4, 8, 3, 7, 0));
        assertThat(deal.within(3)).isEqualTo(new ClusterDeal(4, 8, 0, 7, 0));
    }

    /** 132 SMs are 8 GPCs, 4 are 2. */
    @Test
    void whereNobodyLookedClustersGoOneByOne() {
        assertThat(numbers(DeviceLimits.of(4).deal(1), 4)).containsExactly(0, 2, 1, 3);
        assertThat(DeviceLimits.of(132).deal(2)).isEqualTo(new ClusterDeal(0, 8, 8, 0, 0));
    }

    @Test
    void refusesADealToNobody() {
        assertThatThrownBy(() -> new ClusterDeal(0, 0, 1, 0, 0))
                .hasMessage("a deal has at least one GPC and no negative number, got 0, 0 x 1, 0 x 0");
    }

    @Draws
    void numbersAreAPermutation(
            @Between(max = 6) int first,
            @Between(min = 1, max = 8) int gpcs,
            @Between(max = 6) int rounds,
            @Between(max = 8) int laterGpcs,
            @Between(max = 6) int laterRounds,
            @Between(min = 1, max = 120) int clusters) {
        ClusterDeal deal = new ClusterDeal(first, gpcs, rounds, laterGpcs, laterRounds);
        assertThat(numbers(deal.within(clusters), clusters))
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(0, clusters).boxed().toList());
    }

    static List<Integer> gpcs(Draw draw) {
        return draw.list(0, 100, each -> each.between(0, 3));
    }

    @Draws
    void whateverIsSeenIsADeal(@From("gpcs") List<Integer> gpcs) {
        assertThat(numbers(ClusterDeal.of(gpcs), gpcs.size()))
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(0, gpcs.size()).boxed().toList());
    }
}
