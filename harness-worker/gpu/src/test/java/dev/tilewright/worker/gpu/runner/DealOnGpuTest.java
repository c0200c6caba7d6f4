package dev.tilewright.worker.gpu.runner;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.gemm.oracle.DealKernel;
import dev.tilewright.space.device.ClusterDeal;
import dev.tilewright.worker.gpu.verify.OracleModule;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** A GPU deals the clusters of each launch out alike, but that another GPC may be the first. */
class DealOnGpuTest extends OnGpu {

    @Test
    void whatOneLaunchShowsHoldsForTheNext() {
        DealProbe probe = new DealProbe(gpu);
        Map<Integer, ClusterDeal> deals = probe.deals();
        System.out.println(deals);
        // An H200 dealt clusters of up to 8 out in turns, an H100 those of up to 4: it had GPCs of several sizes.
        assertThat(deals.keySet()).contains(2, 3, 4);
        Map<Integer, List<Integer>> next;
        try (OracleModule module = OracleModule.load(gpu, DealKernel.build())) {
            next = probe.gpcs(module);
        }
        for (int size : List.of(2, 4)) {
            ClusterDeal deal = deals.get(size);
            int clusters = deal.gpcs() * deal.rounds() + deal.laterGpcs() * deal.laterRounds();
            assertThat(clusters).isGreaterThan(gpu.info().smCount() / size / 2);
            assertThat(new HashSet<>(next.get(size)))
                    .as("GPCs of clusters of " + size)
                    .hasSizeBetween(4, 16);
            System.out.println(
                    "clusters of " + size + " begin at GPC " + next.get(size).get(deal.first()));
            assertTurnsHaveOneGpc(next.get(size), deal.first(), deal.gpcs(), deal.rounds());
            int behind = deal.first() + deal.gpcs() * deal.rounds();
            assertTurnsHaveOneGpc(next.get(size), behind, deal.laterGpcs(), deal.laterRounds());
        }
    }

    private static void assertTurnsHaveOneGpc(List<Integer> seen, int first, int gpcs, int rounds) {
        for (int gpc = 0; rounds > 0 && gpc < gpcs; gpc++) {
            assertThat(new HashSet<>(sameGpc(seen, first + gpc, gpcs, rounds)))
                    .as("clusters of GPC " + gpc + " from cluster " + first + " on")
                    .hasSize(1);
        }
    }

    /** The GPC of each cluster that should lie in one GPC. */
    private static List<Integer> sameGpc(List<Integer> gpcs, int first, int step, int rounds) {
        return IntStream.range(0, rounds)
                .mapToObj(round -> gpcs.get(first + round * step))
                .toList();
    }
}
