package dev.tilewright.gemm;

import dev.tilewright.model.trial.SchedulerEvidence;
import dev.tilewright.model.trial.TileTimes;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Facts about the tile scheduler, from the records of a traced run. */
public final class TraceEvidence {

    private TraceEvidence() {}

    /**
     * Sums up one traced run, as {@link TileTimes} does.
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
        SchedulerEvidence sums = TileTimes.evidence(
                        records.stream()
                                .map(tile ->
                                        new TileTimes.Tile(tile.smId(), tile.startNs(), tile.endNs(), tile.padding()))
                                .toList(),
                        smCount,
                        heldSms)
                .slowed(tracedSlowdown);
        return asks ? sums.asked(stealsPerCluster(records), failedQueries(records)) : sums;
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
