package dev.tilewright.proof.emulation;

import dev.tilewright.emulator.run.Statistics;
import dev.tilewright.emulator.run.Statistics.BarrierPhases;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * How often the mbarriers of a kernel were gone through. Barriers that the entry declares together are a ring; one that
 * it does not declare is a ring of its own, named by its offset in the shared memory of a CTA. A ring counts with the
 * CTAs in which any of its barriers completed a phase: what only one CTA of a cluster uses is not missing in the
 * others. A barrier counts with the one of those CTAs in which it completed the fewest phases, so that a slot that was
 * never filled has none.
 *
 * @param phases completed by the barriers of rings that may wrap, by their names
 * @param once names of the barriers of rings that are waited for outside of loops alone: they cannot wrap
 * @param unused names of the barriers of rings that no CTA used
 */
public record Rings(SortedMap<String, Integer> phases, List<String> once, List<String> unused) {
    /** Phases of each barrier that a proof needs: with parities of one bit, two behind looks like none behind. */
    public static final int NEEDED = 3;

    public static final Rings NONE = new Rings(new TreeMap<>(), List.of(), List.of());

    public Rings {
        phases = Collections.unmodifiableSortedMap(new TreeMap<>(phases));
        once = List.copyOf(once);
        unused = List.copyOf(unused);
    }

    /** The rings of one run. */
    public static Rings of(Statistics run) {
        Map<String, List<BarrierPhases>> rings =
                run.barriers().stream().collect(Collectors.groupingBy(barrier -> ring(barrier.barrier())));
        SortedMap<String, Integer> phases = new TreeMap<>();
        TreeSet<String> once = new TreeSet<>();
        TreeSet<String> unused = new TreeSet<>();
        for (List<BarrierPhases> ring : rings.values()) {
            Map<Integer, List<BarrierPhases>> users = ring.stream().collect(Collectors.groupingBy(BarrierPhases::cta));
            users.values().removeIf(all -> all.stream().allMatch(barrier -> barrier.phases() == 0));
            if (users.isEmpty()) {
                ring.forEach(barrier -> unused.add(barrier.barrier()));
            } else if (ring.stream().noneMatch(BarrierPhases::ring)) {
                ring.forEach(barrier -> once.add(barrier.barrier()));
            } else {
                users.values().stream()
                        .flatMap(Collection::stream)
                        .forEach(barrier -> phases.merge(barrier.barrier(), barrier.phases(), Math::min));
            }
        }
        return new Rings(phases, List.copyOf(once), List.copyOf(unused));
    }

    /** The name of a barrier without its index. */
    private static String ring(String barrier) {
        int index = barrier.indexOf('[');
        return index < 0 ? barrier : barrier.substring(0, index);
    }

    /** How often each ring that may wrap did: as often as its slowest barrier completed a phase; 0 if it is unused. */
    public SortedMap<String, Integer> wraps() {
        SortedMap<String, Integer> wraps = new TreeMap<>();
        phases.forEach((barrier, count) -> wraps.merge(ring(barrier), count, Math::min));
        unused.forEach(barrier -> wraps.put(ring(barrier), 0));
        return wraps;
    }

    /** Each barrier as in the run that used it most: what one run did not reach, another may have. */
    public Rings orDeeper(Rings other) {
        SortedMap<String, Integer> deepest = new TreeMap<>(phases);
        other.phases.forEach((barrier, count) -> deepest.merge(barrier, count, Math::max));
        TreeSet<String> never = new TreeSet<>(once);
        never.addAll(other.once);
        never.removeAll(deepest.keySet());
        TreeSet<String> idle = new TreeSet<>(unused);
        idle.addAll(other.unused);
        idle.removeAll(deepest.keySet());
        idle.removeAll(never);
        return new Rings(deepest, List.copyOf(never), List.copyOf(idle));
    }

    /** The barriers that a proof would need more phases of. */
    public List<String> lacking() {
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
