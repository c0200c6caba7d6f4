package dev.tilewright.worker.runner.child;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * A GPU deals the clusters of a launch out as those of the launch before, but that it begins with another GPC: where
 * GPCs are not of one size, some clusters that were together are not again.
 */
class DealOnGpuTest extends OnGpu {

    @Test
    void whatOneLaunchShowsHoldsForTheNext() {
        DealProbe probe = new DealProbe(gpu);
        Map<Integer, List<Integer>> first = probe.seen();
        Map<Integer, List<Integer>> second = probe.seen();
        System.out.println(first);
        System.out.println(second);
        assertThat(first.keySet()).containsExactlyInAnyOrder(1, 2, 3, 4, 5, 6, 7, 8);
        for (int size : List.of(2, 4)) {
            List<Integer> gpcs = first.get(size);
            assertThat(gpcs).hasSize(gpu.info().smCount() / size);
            assertThat(new HashSet<>(gpcs)).hasSizeBetween(4, 16);
            System.out.println("clusters of " + size + ": " + same(gpcs, second.get(size)));
            assertThat(same(gpcs, second.get(size))).as("clusters of " + size).isGreaterThan(0.4);
        }
    }

    /** Of the pairs of clusters that were in one GPC, the part that is again. */
    private static double same(List<Integer> before, List<Integer> after) {
        Set<List<Integer>> pairs = pairs(before);
        Set<List<Integer>> again = pairs(after);
        return (double) pairs.stream().filter(again::contains).count() / pairs.size();
    }

    private static Set<List<Integer>> pairs(List<Integer> gpcs) {
        Set<List<Integer>> pairs = new HashSet<>();
        for (int one = 0; one < gpcs.size(); one++) {
            int first = one;
            IntStream.range(one + 1, gpcs.size())
                    .filter(other -> gpcs.get(first).equals(gpcs.get(other)))
                    .forEach(other -> pairs.add(List.of(first, other)));
        }
        return pairs;
    }
}
