package dev.tilewright.gemm;

import dev.tilewright.model.trial.SchedulerEvidence;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** What the records of a traced run say about the tile scheduler. */
public final class Evidence {

    private Evidence() {}

    /**
     * Sums up one traced run. Padding tiles count as time, not as tiles. An SM without any tile has 0 for both its
     * times and is idle for the whole run, unless somebody else held it.
     *
     * @param smCount SMs of the device; entry i of each list belongs to SM id i
     * @param heldSms ids of the SMs that somebody else held for the whole run
     * @param asks whether the clusters ask for their tiles
     * @param tracedSlowdown duration of the traced twin over that of the kernel, if measured
     * @throws IllegalArgumentException if there is no record, or one names an SM that the device does not have or that
     *     was held
     */
    public static SchedulerEvidence of(
            List<TileRecord> records,
            int smCount,
            Collection<Integer> heldSms,
            boolean asks,
            @Nullable Double tracedSlowdown) {
        Set<Integer> held = new TreeSet<>(heldSms);
        if (records.isEmpty()) {
            throw new IllegalArgumentException("a trace without records is no evidence");
        }
        long origin = records.stream().mapToLong(TileRecord::startNs).min().orElseThrow();
        long[] first = new long[smCount];
        long[] last = new long[smCount];
        int[] tiles = new int[smCount];
        Arrays.fill(first, Long.MAX_VALUE);
        for (TileRecord tile : records) {
            int sm = tile.smId();
            if (sm < 0 || sm >= smCount) {
                throw new IllegalArgumentException("a trace names SM " + sm + " of a device with " + smCount + " SMs");
            }
            if (held.contains(sm)) {
                throw new IllegalArgumentException("a trace names SM " + sm + ", which was held all the time");
            }
            first[sm] = Math.min(first[sm], tile.startNs() - origin);
            last[sm] = Math.max(last[sm], tile.endNs() - origin);
            tiles[sm] += tile.padding() ? 0 : 1;
        }
        long end = Arrays.stream(last).max().orElseThrow();
        double idle = IntStream.range(0, smCount)
                .filter(sm -> !held.contains(sm))
                .mapToDouble(sm -> end - last[sm])
                .sum();
        List<Long> firstStart = new ArrayList<>();
        for (long start : first) {
            firstStart.add(start == Long.MAX_VALUE ? 0L : start);
        }
        return new SchedulerEvidence(
                Arrays.stream(tiles).boxed().toList(),
                firstStart,
                Arrays.stream(last).boxed().toList(),
                end == 0 ? 0 : idle / ((double) end * (smCount - held.size())),
                tracedSlowdown,
                asks ? stealsPerCluster(records) : List.of(),
                asks ? failedQueries(records) : null,
                List.copyOf(held));
    }

    /** The same of a run that had the GPU to itself. */
    public static SchedulerEvidence of(
            List<TileRecord> records, int smCount, boolean asks, @Nullable Double tracedSlowdown) {
        return of(records, smCount, Set.of(), asks, tracedSlowdown);
    }

    /** The first tile of a cluster is its own. */
    private static List<Integer> stealsPerCluster(List<TileRecord> records) {
        SortedMap<Integer, Integer> steals = new TreeMap<>();
        records.stream()
                .filter(tile -> tile.rank() == 0)
                .forEach(tile -> steals.merge(tile.cta(), 0, (known, first) -> known + 1));
        return List.copyOf(steals.values());
    }

    /** Every cluster that asks ends with a failure, so that none at all means that nobody counted. */
    private static @Nullable Integer failedQueries(List<TileRecord> records) {
        int failed = records.stream().mapToInt(TileRecord::failedQueries).sum();
        return failed == 0 ? null : failed;
    }
}
