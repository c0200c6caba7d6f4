package dev.tilewright.simulator;

import dev.tilewright.space.parameter.Scheduler;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The requests and the cancellations of clusters while they ran.
 *
 * @param steals for each cluster that ran, in the order of their numbers, how many tiles it got by asking; empty if the
 *     scheduler does not ask
 * @param failedQueries draws or queries that were answered without a tile
 * @param yieldedNs for each SM that a kernel of higher priority got, when, counted from the start of the launch; fewer
 *     than it wanted if the GPU is too small
 */
public record DynamicLog(List<Integer> steals, int failedQueries, List<Long> yieldedNs) {

    public DynamicLog {
        steals = List.copyOf(steals);
        yieldedNs = List.copyOf(yieldedNs);
    }

    static DynamicLog of(Scheduler scheduler, GridRun.Outcome outcome) {
        Map<Integer, Integer> tiles = new TreeMap<>();
        if (scheduler.dynamic()) {
            outcome.tiles().forEach(tile -> tiles.merge(tile.cluster(), 1, Integer::sum));
        }
        return new DynamicLog(
                tiles.values().stream().map(count -> count - 1).toList(),
                outcome.failedQueries(),
                outcome.yieldedNs().stream().map(Math::round).toList());
    }
}
