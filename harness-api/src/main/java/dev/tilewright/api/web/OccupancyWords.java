package dev.tilewright.api.web;

import dev.tilewright.api.web.OccupancyMap.State;
import dev.tilewright.model.trial.SchedulerEvidence;
import dev.tilewright.model.trial.TileTimes;
import java.util.ArrayList;
import java.util.List;

/** The legend and the sentence of an {@link OccupancyMap}. */
final class OccupancyWords {

    private OccupancyWords() {}

    /** The legend, as far as something occurs in the rows. */
    static List<OccupancyMap.Key> keys(List<OccupancyMap.Row> rows, int lanes, long endNs) {
        List<OccupancyMap.Key> keys = new ArrayList<>();
        boolean tiles = rows.stream().anyMatch(row -> !row.times().isEmpty());
        if (rows.stream().anyMatch(row -> row.state() == State.BUSY)) {
            keys.add(new OccupancyMap.Key("busy", tiles ? "a tile" : "from the first tile to the last"));
        }
        if (lanes > 1) {
            keys.add(new OccupancyMap.Key("next", "a tile that overlaps with another one of its SM"));
        }
        if (rows.stream().anyMatch(row -> !new SmTiles(row.times()).gapsNs().isEmpty())) {
            keys.add(new OccupancyMap.Key("gap", "a gap: no tile, and more to come"));
        }
        if (rows.stream().anyMatch(row -> row.state() == State.BUSY && row.toNs() < endNs)) {
            keys.add(new OccupancyMap.Key("tail", "idle at the end"));
        }
        if (rows.stream().anyMatch(row -> row.state() == State.IDLE)) {
            keys.add(new OccupancyMap.Key("idle", "no tile at all"));
        }
        if (rows.stream().anyMatch(row -> row.state() == State.HELD)) {
            keys.add(new OccupancyMap.Key("held", "held by somebody else"));
        }
        return keys;
    }

    /** The whole run. */
    static String of(SchedulerEvidence evidence, List<OccupancyMap.Row> rows, long end) {
        long free = rows.stream().filter(row -> row.state() != State.HELD).count();
        int tiles = evidence.tilesPerSm().stream().mapToInt(Integer::intValue).sum();
        String whole =
                Figures.count(tiles, "tile") + " on " + Figures.count(free, "SM") + " in " + Figures.fine(end) + ".";
        if (evidence.tileNs() != null) {
            long longest = rows.stream()
                    .flatMap(row -> new SmTiles(row.times()).gapsNs().stream())
                    .mapToLong(Long::longValue)
                    .max()
                    .orElse(0);
            whole += longest == 0
                    ? " There is no gap."
                    : " Gaps take "
                            + Figures.percent(TileTimes.gapFraction(evidence).orElse(0))
                            + " of the SMs' time, the longest " + Figures.fine(longest) + ".";
        }
        Double idle = evidence.idleTailFraction();
        return idle == null ? whole : whole + " At the end " + Figures.percent(idle) + " of the SMs' time is idle.";
    }

    /** Why the times of single tiles are missing. */
    static String withoutTiles(SchedulerEvidence evidence) {
        int tiles = evidence.tilesPerSm().stream().mapToInt(Integer::intValue).sum();
        String most = Figures.count(TileTimes.MOST);
        return tiles > TileTimes.MOST
                ? "The times of single tiles are kept of runs with up to " + most + " tiles, and this one has "
                        + Figures.count(tiles) + ": gaps are not seen."
                : "The times of single tiles were not kept, in an older result or with more than " + most
                        + " tiles and padding: gaps are not seen.";
    }
}
