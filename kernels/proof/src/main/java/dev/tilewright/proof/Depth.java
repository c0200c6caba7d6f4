package dev.tilewright.proof;

import dev.tilewright.emulator.run.Statistics;
import dev.tilewright.proof.emulation.Rings;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * How often the things happened that go wrong only when they happen again: a second tile finds what the first one left,
 * a ring that wraps finds its own old phases. Three times are needed of each: with parities of one bit, two do not tell
 * a right phase from one that is two behind.
 *
 * @param counts how often, by what it is, such as {@code "tiles of a CTA"}; that of the CTA with the fewest
 */
public record Depth(SortedMap<String, Integer> counts) {

    /** How often each of them has to happen. */
    public static final int NEEDED = Rings.NEEDED;

    static final String TILES = "tiles of a CTA";
    static final String WAVES = "waves of clusters";
    static final String WRAPS = "wraps of ";

    public Depth {
        counts = Collections.unmodifiableSortedMap(new TreeMap<>(counts));
    }

    static Depth of(String what, int count) {
        return new Depth(new TreeMap<>(Map.of(what, count)));
    }

    /**
     * How often the clusters of a grid fill what is there.
     *
     * @param resident CTAs that all SMs have at a time
     */
    static int waves(int ctas, int clusterSize, int resident) {
        return ctas / clusterSize / Math.max(1, resident / clusterSize);
    }

    /** Wraps of every ring in a run. */
    public static Depth wraps(Statistics run) {
        SortedMap<String, Integer> wraps = new TreeMap<>();
        Rings.of(run).wraps().forEach((ring, count) -> wraps.put(WRAPS + ring, count));
        return new Depth(wraps);
    }

    /** Each count of the run in which it was largest: what one run did not reach, another may have. */
    public Depth orDeeper(Depth other) {
        Map<String, Integer> deepest = new HashMap<>(counts);
        other.counts.forEach((what, count) -> deepest.merge(what, count, Math::max));
        return new Depth(new TreeMap<>(deepest));
    }

    /** The same, with no count above this one. */
    Depth atMost(int most) {
        SortedMap<String, Integer> bounded = new TreeMap<>(counts);
        bounded.replaceAll((what, count) -> Math.min(count, most));
        return new Depth(bounded);
    }

    /** Whether each count of the other one is reached. */
    boolean reaches(Depth other) {
        return other.counts.entrySet().stream()
                .allMatch(goal -> counts.getOrDefault(goal.getKey(), 0) >= goal.getValue());
    }

    /** The events that did not happen often enough, with their counts; empty if the depth suffices for a proof. */
    public List<String> lacking() {
        return counts.entrySet().stream()
                .filter(count -> count.getValue() < NEEDED)
                .map(count -> count.getKey() + ": " + count.getValue() + ", a proof needs " + NEEDED)
                .toList();
    }

    @Override
    public String toString() {
        return counts.entrySet().stream()
                .map(count -> count.getValue() + " " + count.getKey())
                .collect(Collectors.joining(", "));
    }
}
