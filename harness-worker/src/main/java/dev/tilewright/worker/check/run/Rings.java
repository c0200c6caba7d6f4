package dev.tilewright.worker.check.run;

import dev.tilewright.emulator.Statistics;
import dev.tilewright.emulator.Statistics.BarrierPhases;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * How often the mbarriers of a kernel were gone through. A barrier is known by its place in the shared memory of a CTA.
 * A place counts with the CTA in which it completed the fewest phases, of those in which it completed any: what only
 * one CTA of a cluster uses is not missing in the others.
 *
 * @param phases completed by barriers that may wrap, by their names
 * @param once names of barriers that completed phases, but are waited for outside of loops alone: they cannot wrap
 * @param unused names of barriers that completed none anywhere, and that the entry does not declare together with one
 *     that did
 */
public record Rings(Map<String, Integer> phases, List<String> once, List<String> unused) {
    /** Phases of each barrier that a proof needs: with parities of one bit, two behind looks like none behind. */
    public static final int NEEDED = 3;

    static final Rings NONE = new Rings(Map.of(), List.of(), List.of());

    public Rings {
        phases = new TreeMap<>(phases);
        once = List.copyOf(once);
        unused = List.copyOf(unused);
    }

    static Rings of(Statistics run) {
        Map<String, Integer> used = new TreeMap<>();
        Set<String> rings = new HashSet<>();
        Set<String> idle = new TreeSet<>();
        for (BarrierPhases barrier : run.barriers()) {
            if (barrier.phases() > 0) {
                used.merge(barrier.barrier(), barrier.phases(), Math::min);
            } else {
                idle.add(barrier.barrier());
            }
            if (barrier.ring()) {
                rings.add(region(barrier.barrier()));
            }
        }
        idle.removeAll(used.keySet());
        Set<String> regions = new HashSet<>();
        used.keySet().forEach(name -> regions.add(region(name)));
        idle.stream().filter(name -> regions.contains(region(name))).forEach(name -> used.put(name, 0));
        idle.removeAll(used.keySet());
        List<String> once = used.keySet().stream()
                .filter(name -> !rings.contains(region(name)))
                .toList();
        once.forEach(used::remove);
        return new Rings(used, once, List.copyOf(idle));
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
        Set<String> never = new TreeSet<>(once);
        never.addAll(other.once);
        never.removeAll(deepest.keySet());
        Set<String> idle = new TreeSet<>(unused);
        idle.addAll(other.unused);
        idle.removeAll(deepest.keySet());
        idle.removeAll(never);
        return new Rings(deepest, List.copyOf(never), List.copyOf(idle));
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
        int fewest = phases.values().stream().mapToInt(Integer::intValue).min().orElse(0);
        return (phases.isEmpty()
                        ? "no mbarrier that may wrap"
                        : "mbarriers that may wrap: " + phases.size() + ", each completed at least " + fewest
                                + " phases")
                + (once.isEmpty() ? "" : "; that cannot: " + String.join(", ", once))
                + (unused.isEmpty() ? "" : "; not in use: " + String.join(", ", unused));
    }
}
