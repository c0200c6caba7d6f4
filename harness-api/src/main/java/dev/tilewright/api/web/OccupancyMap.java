package dev.tilewright.api.web;

import dev.tilewright.model.trial.SchedulerEvidence;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The work of each SM over time as a drawing: a row for each SM, a bar for each tile, the gaps between tiles, and the
 * idle time at the end. Where the times of single tiles were not kept a bar goes from the first tile of an SM to its
 * last.
 *
 * @param height of the drawing; it is {@link #WIDTH} wide
 * @param keys what is drawn how, as far as it occurs
 * @param says what the whole of it shows, in words; empty without times
 * @param withoutTiles why there is no bar for each tile; {@code null} if there is, or if a run had no times
 */
public record OccupancyMap(
        int height,
        List<Row> rows,
        List<Key> keys,
        List<Bin> histogram,
        String says,
        @Nullable String withoutTiles,
        @Nullable String slowdown) {

    public static final int WIDTH = 1000;

    /**
     * An SM.
     *
     * @param state {@code busy}, {@code idle} for one without a tile, {@code held} by somebody else
     * @param x where its bar begins, as {@code width} is its length; of one that has a bar for each tile instead, the
     *     first and the last of these
     * @param bars of its tiles; {@code null} if it has none, or their times were not kept
     * @param tailX where what it was idle at the end begins
     * @param says all of it in words
     */
    public record Row(
            String state,
            double y,
            double thick,
            double x,
            double width,
            @Nullable TileBars bars,
            double tailX,
            double tailWidth,
            String says) {

        /** Path data of every second tile; there are bars. */
        public String tiles() {
            return bars == null ? "" : bars.tiles();
        }

        /** Path data of the tiles between these. */
        public String next() {
            return bars == null ? "" : bars.next();
        }

        /** Path data of the time without a tile before and between its tiles. */
        public String gaps() {
            return bars == null ? "" : bars.gaps();
        }
    }

    /**
     * A line of the legend.
     *
     * @param look class of what it explains
     * @param next class of the other colour that may mean the same
     */
    public record Key(String look, String next, String means) {}

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

    /** The drawing with rows of so many units; no row where a run had no times. */
    public static OccupancyMap of(SchedulerEvidence evidence, double thick) {
        long end = evidence.lastEndNs().isEmpty() ? 0 : Collections.max(evidence.lastEndNs());
        List<Row> rows = end > 0 ? rows(evidence, end, thick) : List.of();
        Double slowdown = evidence.tracedSlowdown();
        return new OccupancyMap(
                (int) Math.ceil(rows.size() * thick),
                rows,
                OccupancyWords.keys(rows),
                histogram(evidence),
                rows.isEmpty() ? "" : OccupancyWords.of(evidence, rows, end),
                rows.isEmpty() || evidence.tileNs() != null ? null : OccupancyWords.withoutTiles(evidence),
                slowdown == null ? null : Figures.ratio(slowdown));
    }

    private static List<Row> rows(SchedulerEvidence evidence, long end, double thick) {
        Lanes lanes = Lanes.of(evidence);
        List<Row> rows = new ArrayList<>();
        for (int sm = 0; sm < evidence.lastEndNs().size(); sm++) {
            rows.add(row(evidence, sm, end, thick, lanes));
        }
        return rows;
    }

    private static Row row(SchedulerEvidence evidence, int sm, long end, double thick, Lanes lanes) {
        double scale = (double) WIDTH / end;
        long from = evidence.firstStartNs().get(sm);
        long to = evidence.lastEndNs().get(sm);
        List<Long> times =
                evidence.tileNs() == null ? List.of() : evidence.tileNs().get(sm);
        String state = evidence.heldSms().contains(sm)
                ? "held"
                : OccupancyWords.tiles(evidence, sm) == 0 && times.isEmpty() ? "idle" : "busy";
        boolean busy = state.equals("busy");
        TileBars bars = times.isEmpty()
                ? null
                : TileBars.of(
                        times,
                        lanes.ofSms().get(sm),
                        lanes.count(),
                        new TileBars.Lane(sm * thick, thick * 0.85, scale));
        return new Row(
                state,
                sm * thick,
                thick * 0.85,
                busy ? from * scale : 0,
                busy ? Math.max(1, (to - from) * scale) : WIDTH,
                bars,
                busy ? to * scale : WIDTH,
                busy ? (end - to) * scale : 0,
                OccupancyWords.of(evidence, sm, state, bars, end));
    }

    /**
     * In which lane each tile of each SM is drawn; empty without the times of tiles.
     *
     * @param count lanes of the drawing: as many as tiles of an SM overlap at a time, at most
     */
    private record Lanes(List<List<Integer>> ofSms, int count) {

        static Lanes of(SchedulerEvidence evidence) {
            List<List<Integer>> ofSms = evidence.tileNs() == null
                    ? List.of()
                    : evidence.tileNs().stream().map(TileBars::lanes).toList();
            int last = ofSms.stream()
                    .flatMap(List::stream)
                    .mapToInt(Integer::intValue)
                    .max()
                    .orElse(0);
            return new Lanes(ofSms, 1 + last);
        }
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
