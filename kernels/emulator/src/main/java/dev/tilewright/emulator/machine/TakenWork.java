package dev.tilewright.emulator.machine;

import dev.tilewright.emulator.memory.GlobalMemory;
import dev.tilewright.emulator.run.Statistics.Taken;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The work that CTAs took beyond their launch: numbers drawn from counters, clusters taken over. */
public final class TakenWork {
    private static final String CLUSTERS = "clusterlaunchcontrol";
    /** A word from which more is taken is no tile scheduler, and is left out. */
    private static final int MOST = 100_000;

    /** By where it was taken from and by CTA, in the order in which it was taken. */
    private final Map<String, Map<Integer, List<Long>>> taken = new LinkedHashMap<>();

    private final Map<String, Integer> counts = new HashMap<>();

    TakenWork() {}

    /** A CTA has taken over a cluster. */
    public void cluster(int cta, int cluster) {
        note(CLUSTERS, cta, cluster);
    }

    /** A thread of a CTA has counted up a word of global memory and learned what it was. */
    public void drew(int cta, long address, long value, GlobalMemory memory) {
        note(memory.nameOf(address), cta, value);
    }

    private void note(String from, int cta, long value) {
        if (counts.merge(from, 1, Integer::sum) > MOST) {
            taken.remove(from);
            return;
        }
        taken.computeIfAbsent(from, _ -> new TreeMap<>())
                .computeIfAbsent(cta, _ -> new ArrayList<>())
                .add(value);
    }

    /** All of it. A word from which something was drawn twice is no counter of tiles and left out. */
    List<Taken> all() {
        List<Taken> all = new ArrayList<>();
        taken.forEach((from, byCta) -> {
            List<Long> values = byCta.values().stream().flatMap(List::stream).toList();
            if (values.stream().distinct().count() == values.size()) {
                byCta.forEach((cta, own) -> all.add(new Taken(from, cta, own)));
            }
        });
        return all;
    }
}
