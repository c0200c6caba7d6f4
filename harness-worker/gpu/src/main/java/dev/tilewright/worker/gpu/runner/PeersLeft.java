package dev.tilewright.worker.gpu.runner;

import dev.tilewright.worker.gpu.measure.FinalPlan;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The kernels of peers that the races leave. Each family races within itself first, so that the best kernel of each is
 * known; then what is left of all families races.
 *
 * @param best those that may be the best of all, no more than {@link FinalPlan#PEERS}: more of them make a final longer
 *     and hardly change its answer
 * @param guests the best of every family, and what a vendor takes by default: they run for their own ratio, also where
 *     they may be the best of all and then turn out not to be
 */
record PeersLeft(List<Competitor> best, List<Competitor> guests) {

    /**
     * Races them.
     *
     * @param choosing families that name first what they would choose by themselves
     */
    static PeersLeft of(List<Competitor> peers, List<String> choosing, Contest contest, long seed) {
        Map<String, List<Competitor>> families = peers.stream()
                .collect(Collectors.groupingBy(Competitor::family, LinkedHashMap::new, Collectors.toList()));
        List<Competitor> left = new ArrayList<>();
        List<Competitor> wanted = new ArrayList<>();
        families.forEach((family, kernels) -> {
            List<Competitor> unbeaten = contest.unbeaten(family, kernels, seed);
            left.addAll(unbeaten);
            wanted.add(unbeaten.getFirst());
            if (choosing.contains(family)) {
                wanted.add(kernels.getFirst());
            }
        });
        List<Competitor> best = families.size() < 2 ? left : contest.unbeatenOfAll(left, seed);
        return new PeersLeft(List.copyOf(best), wanted.stream().distinct().toList());
    }
}
