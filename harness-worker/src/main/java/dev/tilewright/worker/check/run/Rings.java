package dev.tilewright.worker.check.run;

import dev.tilewright.emulator.Statistics;
import dev.tilewright.emulator.Statistics.BarrierPhases;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * How often the mbarriers of a kernel were gone through. A barrier is known by its place in the shared memory of a CTA.
 * A place counts with the CTA in which it completed the fewest phases, of those in which it completed any: what only one
 * CTA of a cluster uses is not missing in the others. A place that completed none anywhere is not in use, unless
 * the entry declares it together with one that is.
 *
 * @param phases completed, by the barrier's name
 * @param unused names of barriers that were initialised and completed none
 */
public record Rings(Map<String, Integer> phases, List<String> unused) {
    /** Phases of each barrier that a proof needs: with parities of one bit, two behind looks like none behind. */
    public static final int NEEDED = 3;

    static final Rings NONE = new Rings(Map.of(), List.of());

    public Rings {
        phases = new TreeMap<>(phases);
        unused = List.copyOf(unused);
    }

    static Rings of(Statistics run) {
        Map<String, Integer> phases = new TreeMap<>();
        Set<String> idle = new HashSet<>();
        for (BarrierPhases barrier : run.barriers()) {
            if (barrier.phases() > 0) {
                phases.merge(barrier.barrier(), barrier.phases(), Math::min);
            } else {
                idle.add(barrier.barrier());
            }
        }
        idle.removeAll(phases.keySet());
        Set<String> regions = new HashSet<>();
        phases.keySet().forEach(name -> regions.add(region(name)));
        List<String> unused = new ArrayList<>();
        for (String name : idle.stream().sorted().toList()) {
            if (regions.contains(region(name))) {
                phases.put(name, 0);
            } else {
                unused.add(name);
            }
        }
        return new Rings(phases, unused);
    }

    /** What is declared together: the name without its index. */
    private static String region(String barrier) {
        int index = barrier.indexOf('[');
        return index < 0 ? barrier : barrier.substring(0, index);
    }

    /** Each barrier as in the run that used it most: what one run did not reach, another may have. */
    Rings orDeeper(Rings other) {
        Map<String, Integer> deepest = new TreeMap<>(phases);
        other.phases.forEach((barrier, count) -> deepest.merge(barrier, count, Math::max));
        Set<String> idle = new HashSet<>(unused);
        idle.addAll(other.unused);
        idle.removeAll(deepest.keySet());
        return new Rings(deepest, idle.stream().sorted().toList());
    }

    /** The barriers that a proof would need more phases of. */
    List<String> lacking() {
        return phases.entrySet().stream()
                .filter(barrier -> barrier.getValue() < NEEDED)
                .map(barrier -> "mbarrier " + barrier.getKey() + " completed " + barrier.getValue()
                        + " phases in the CTA that used it least, a proof needs " + NEEDED)
                .toList();
    }

    @Override
    public String toString() {
        if (phases.isEmpty()) {
            return "no mbarrier completed a phase" + idle();
        }
        int fewest = phases.values().stream().mapToInt(Integer::intValue).min().orElse(0);
        return phases.size() + " mbarriers, each completed at least " + fewest + " phases" + idle();
    }

    private String idle() {
        return unused.isEmpty() ? "" : "; not in use: " + String.join(", ", unused);
    }
}
