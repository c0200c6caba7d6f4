package dev.tilewright.api.web;

import dev.tilewright.model.trial.SchedulerEvidence;
import dev.tilewright.model.trial.TileTimes;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** An {@link OccupancyMap} in words: its legend, its rows and the whole. */
final class OccupancyWords {

    private OccupancyWords() {}

    /** The legend, as far as something occurs in the rows. */
    static List<OccupancyMap.Key> keys(List<OccupancyMap.Row> rows) {
        boolean tiles = rows.stream().anyMatch(row -> row.bars() != null);
        List<OccupancyMap.Key> keys = new ArrayList<>();
        if (rows.stream().anyMatch(row -> row.state().equals("busy"))) {
            keys.add(
                    tiles
                            ? new OccupancyMap.Key("busy", "busy next", "a tile, and the one after it")
                            : key("busy", "from the first tile to the last"));
        }
        if (rows.stream().anyMatch(row -> !row.gaps().isEmpty())) {
            keys.add(key("gap", "a gap: no tile, and more to come"));
        }
        if (rows.stream().anyMatch(row -> row.tailWidth() > 0)) {
            keys.add(key("tail", "idle at the end"));
        }
        if (rows.stream().anyMatch(row -> row.state().equals("idle"))) {
            keys.add(key("idle", "no tile at all"));
        }
        if (rows.stream().anyMatch(row -> row.state().equals("held"))) {
            keys.add(key("held", "held by somebody else"));
        }
        return keys;
    }

    private static OccupancyMap.Key key(String look, String means) {
        return new OccupancyMap.Key(look, look, means);
    }

    /** Output tiles of an SM. */
    static int tiles(SchedulerEvidence evidence, int sm) {
        return sm < evidence.tilesPerSm().size() ? evidence.tilesPerSm().get(sm) : 0;
    }

    /** An SM. */
    static String of(SchedulerEvidence evidence, int sm, String state, @Nullable TileBars bars, long end) {
        return "SM " + sm + ": "
                + switch (state) {
                    case "held" -> "held by somebody else";
                    case "idle" -> "no tile";
                    default -> {
                        long to = evidence.lastEndNs().get(sm);
                        yield tiles(evidence, sm, bars) + " from "
                                + us(evidence.firstStartNs().get(sm)) + " to " + us(to)
                                + (bars == null || bars.gapNs() == 0 ? "" : ", gaps of " + us(bars.gapNs()) + " in all")
                                + ", then idle for " + us(end - to);
                    }
                };
    }

    private static String tiles(SchedulerEvidence evidence, int sm, @Nullable TileBars bars) {
        int tiles = tiles(evidence, sm);
        String words = Figures.count(tiles, "tile");
        return bars == null
                        || evidence.tileNs() == null
                        || evidence.tileNs().get(sm).size() / 2 == tiles
                ? words
                : words + " and " + (evidence.tileNs().get(sm).size() / 2 - tiles) + " of padding";
    }

    /** The whole run. */
    static String of(SchedulerEvidence evidence, List<OccupancyMap.Row> rows, long end) {
        long free = rows.stream().filter(row -> !row.state().equals("held")).count();
        int tiles = evidence.tilesPerSm().stream().mapToInt(Integer::intValue).sum();
        String whole = Figures.count(tiles, "tile") + " on " + Figures.count(free, "SM") + " in " + us(end)
                + ", the whole width.";
        List<TileBars> bars = rows.stream()
                .map(OccupancyMap.Row::bars)
                .filter(Objects::nonNull)
                .toList();
        if (!bars.isEmpty()) {
            long longest = bars.stream().mapToLong(TileBars::longestGapNs).max().orElse(0);
            whole += longest == 0
                    ? " There is no gap."
                    : " Gaps take "
                            + Figures.percent(TileTimes.gapFraction(evidence).orElse(0))
                            + " of the SMs' time, the longest " + us(longest) + ".";
        }
        Double idle = evidence.idleTailFraction();
        return idle == null ? whole : whole + " At the end " + Figures.percent(idle) + " of the SMs' time is idle.";
    }

    /** Why there is no bar for each tile. */
    static String withoutTiles(SchedulerEvidence evidence) {
        int tiles = evidence.tilesPerSm().stream().mapToInt(Integer::intValue).sum();
        String most = Figures.count(TileTimes.MOST);
        return tiles > TileTimes.MOST
                ? "The times of single tiles are kept of runs with up to " + most + " tiles, and this one has "
                        + Figures.count(tiles) + ": gaps are not seen."
                : "The times of single tiles were not kept, in an older result or with more than " + most
                        + " tiles and padding: gaps are not seen.";
    }

    private static String us(long ns) {
        return Figures.us((double) ns);
    }
}
