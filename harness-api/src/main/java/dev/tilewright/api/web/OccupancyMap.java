package dev.tilewright.api.web;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonValue;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.SchedulerEvidence;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The work of each SM over time: a row for each SM with its tiles. The browser draws it, a table says the same.
 *
 * @param rows in the order of SM ids, the SMs that somebody else held last; none where a run had no times
 * @param lanes how many tiles of one SM overlap in time at most
 * @param endNs when the last tile ended, counted from the start of the first one
 * @param answers how the scheduler handed out the tiles
 * @param keys the legend of what occurs
 * @param says the whole map in words; empty without times
 * @param withoutTiles why the times of single tiles are missing; {@code null} if they are there, or if no times are
 */
public record OccupancyMap(
        List<Row> rows,
        int lanes,
        long endNs,
        TileAnswers answers,
        @JsonIgnore List<Key> keys,
        @JsonIgnore List<Bin> histogram,
        @JsonIgnore String says,
        @JsonIgnore @Nullable String withoutTiles,
        @JsonIgnore @Nullable String slowdown) {

    /** The part of an SM in a run. */
    public enum State {
        /** It computed tiles. */
        BUSY,
        /** It had no tile. */
        IDLE,
        /** Somebody else held it. */
        HELD;

        @JsonValue
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * An SM.
     *
     * @param tiles output tiles
     * @param fromNs when its first tile started
     * @param toNs when its last tile ended
     * @param times start and end of each tile in turn, padding included; empty if they were not kept
     * @param laneOf lane of each tile
     */
    public record Row(int sm, State state, int tiles, long fromNs, long toNs, List<Long> times, List<Integer> laneOf) {

        /** Tiles with what pads them. */
        public String tilesSaid() {
            int padding = times.isEmpty() ? 0 : times.size() / 2 - tiles;
            return Figures.count(tiles) + (padding == 0 ? "" : " + " + padding + " of padding");
        }

        public String from() {
            return time(fromNs);
        }

        public String to() {
            return time(toNs);
        }

        /** The sum of its gaps; an en dash if the times of its tiles were not kept. */
        public String gaps() {
            return times.isEmpty()
                    ? Figures.NONE
                    : time(new SmTiles(times)
                            .gapsNs().stream().mapToLong(Long::longValue).sum());
        }

        /** How long it had nothing to do at the end of a run. */
        public String idle(long endNs) {
            return time(endNs - toNs);
        }

        private String time(long ns) {
            return state == State.BUSY ? Figures.fine(ns) : Figures.NONE;
        }
    }

    /**
     * A line of the legend.
     *
     * @param look class of the colour
     */
    public record Key(String look, String means) {}

    /**
     * SMs with the same number of tiles.
     *
     * @param share of the SMs that nobody else held
     */
    public record Bin(int tiles, int sms, double share) {}

    /** The tiles per SM in one sentence. */
    public String tilesSaid() {
        return histogram.isEmpty()
                ? "No SM was free."
                : histogram.stream()
                        .map(bin -> Figures.count(bin.sms(), "SM")
                                + (bin.sms() == 1 ? " has " : " have ")
                                + Figures.count(bin.tiles(), "tile"))
                        .collect(Collectors.joining(", ", "", "."));
    }

    /** @param config of the kernel, which names its tile scheduler */
    public static OccupancyMap of(SchedulerEvidence evidence, Config config) {
        long end = evidence.lastEndNs().isEmpty() ? 0 : Collections.max(evidence.lastEndNs());
        List<Row> rows = end > 0 ? rows(evidence) : List.of();
        int last = rows.stream()
                .flatMap(row -> row.laneOf().stream())
                .mapToInt(Integer::intValue)
                .max()
                .orElse(0);
        Double slowdown = evidence.tracedSlowdown();
        return new OccupancyMap(
                rows,
                1 + last,
                end,
                TileAnswers.of(evidence, config),
                OccupancyWords.keys(rows, 1 + last, end),
                histogram(evidence),
                rows.isEmpty() ? "" : OccupancyWords.of(evidence, rows, end),
                rows.isEmpty() || evidence.tileNs() != null ? null : OccupancyWords.withoutTiles(evidence),
                slowdown == null ? null : Figures.ratio(slowdown));
    }

    private static List<Row> rows(SchedulerEvidence evidence) {
        return IntStream.range(0, evidence.lastEndNs().size())
                .mapToObj(sm -> row(evidence, sm))
                .sorted(Comparator.comparing(row -> row.state() == State.HELD))
                .toList();
    }

    private static Row row(SchedulerEvidence evidence, int sm) {
        List<Long> times =
                evidence.tileNs() == null ? List.of() : evidence.tileNs().get(sm);
        int tiles = sm < evidence.tilesPerSm().size() ? evidence.tilesPerSm().get(sm) : 0;
        State state =
                evidence.heldSms().contains(sm) ? State.HELD : tiles == 0 && times.isEmpty() ? State.IDLE : State.BUSY;
        return new Row(
                sm,
                state,
                tiles,
                evidence.firstStartNs().get(sm),
                evidence.lastEndNs().get(sm),
                times,
                new SmTiles(times).lanes());
    }

    /** Of the SMs that nobody else held. */
    private static List<Bin> histogram(SchedulerEvidence evidence) {
        List<Integer> tiles = evidence.tilesPerSm();
        Map<Integer, Integer> counts = new TreeMap<>();
        IntStream.range(0, tiles.size())
                .filter(sm -> !evidence.heldSms().contains(sm))
                .forEach(sm -> counts.merge(tiles.get(sm), 1, Integer::sum));
        double free =
                Math.max(1, counts.values().stream().mapToInt(Integer::intValue).sum());
        return counts.entrySet().stream()
                .map(count -> new Bin(count.getKey(), count.getValue(), count.getValue() / free))
                .toList();
    }
}
