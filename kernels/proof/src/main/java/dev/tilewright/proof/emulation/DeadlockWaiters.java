package dev.tilewright.proof.emulation;

import dev.tilewright.emulator.hazard.Site;
import dev.tilewright.emulator.hazard.Waiter;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The waiters of a deadlock, the most telling first: waiters for registers, which only a mistake withholds; then for an
 * mbarrier, then for a barrier of the CTA; last for the cluster, because idle warps wait at its barrier until the
 * others have ended.
 */
public record DeadlockWaiters(List<Waiter> all) {

    private static final String REGISTERS = "setmaxnreg";
    private static final String MBARRIER = "mbarrier";
    private static final String CLUSTER_BARRIER = "barrier.cluster";

    public DeadlockWaiters {
        all = all.stream()
                .sorted(Comparator.<Waiter>comparingInt(waiter -> rank(waiter.site()))
                        .thenComparing(waiter -> waiter.site().cta())
                        .thenComparing(waiter -> waiter.site().warp())
                        .thenComparing(waiter -> waiter.site().lane()))
                .toList();
    }

    private static int rank(Site site) {
        String instruction = site.instruction();
        if (instruction.contains(REGISTERS)) {
            return 0;
        }
        if (instruction.contains(MBARRIER)) {
            return 1;
        }
        return instruction.contains(CLUSTER_BARRIER) ? 3 : 2;
    }

    /** The order in which waiters are shown. */
    public Site first() {
        return all.getFirst().site();
    }

    /** One waiter of each instruction, and how many others wait there; those wait as it does. */
    public List<String> lines() {
        Map<Integer, List<Waiter>> sites = all.stream()
                .collect(Collectors.groupingBy(
                        waiter -> waiter.site().statement(), LinkedHashMap::new, Collectors.toList()));
        return sites.values().stream()
                .map(there -> there.getFirst() + others(there.subList(1, there.size())))
                .toList();
    }

    private static String others(List<Waiter> others) {
        if (others.isEmpty()) {
            return "";
        }
        List<String> ctas = others.stream()
                .map(waiter -> waiter.site().cta())
                .distinct()
                .map(String::valueOf)
                .toList();
        return "; " + others.size() + (others.size() == 1 ? " more waits there in " : " more wait there in ")
                + (ctas.size() == 1 ? "CTA " : "CTAs ") + String.join(" ", ctas);
    }
}
