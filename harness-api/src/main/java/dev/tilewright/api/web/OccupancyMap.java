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
 * Who computed what and when, as a drawing: a row for each SM, a bar from its first tile to its last, behind it what it
 * was idle at the end. The evidence has the first start and the last end of each SM, so that gaps between its tiles are
 * not seen.
 *
 * @param height of the drawing; it is {@link #WIDTH} wide
 * @param ends time of the last end of all, for the axis
 */
public record OccupancyMap(
        int height,
        List<Row> rows,
        List<Bin> histogram,
        String ends,
        @Nullable String slowdown) {

    public static final int WIDTH = 1000;

    /**
     * An SM.
     *
     * @param state {@code busy}, {@code idle} for one without a tile, {@code held} by somebody else
     * @param x where its bar begins, as {@code width} is its length
     * @param tailX where what it was idle at the end begins
     * @param says all of it in words
     */
    public record Row(
            String state,
            double y,
            double thick,
            double x,
            double width,
            double tailX,
            double tailWidth,
            String says) {}

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
                        .map(bin -> bin.sms()
                                + (bin.sms() == 1 ? " SM has " : " SMs have ")
                                + bin.tiles()
                                + (bin.tiles() == 1 ? " tile" : " tiles"))
                        .collect(Collectors.joining(", ", "", "."));
    }

    /** The drawing with rows of so many units; no row where a run had no times. */
    public static OccupancyMap of(SchedulerEvidence evidence, double thick) {
        List<Row> rows = new ArrayList<>();
        long end = evidence.lastEndNs().isEmpty() ? 0 : Collections.max(evidence.lastEndNs());
        if (end > 0) {
            for (int sm = 0; sm < evidence.lastEndNs().size(); sm++) {
                rows.add(row(evidence, sm, end, thick));
            }
        }
        Double slowdown = evidence.tracedSlowdown();
        return new OccupancyMap(
                (int) Math.ceil(rows.size() * thick),
                rows,
                histogram(evidence),
                Figures.us((double) end),
                slowdown == null ? null : Figures.ratio(slowdown));
    }

    private static Row row(SchedulerEvidence evidence, int sm, long end, double thick) {
        double scale = (double) WIDTH / end;
        long from = evidence.firstStartNs().get(sm);
        long to = evidence.lastEndNs().get(sm);
        int tiles = sm < evidence.tilesPerSm().size() ? evidence.tilesPerSm().get(sm) : 0;
        boolean held = evidence.heldSms().contains(sm);
        String state = held ? "held" : tiles == 0 ? "idle" : "busy";
        String says = "SM " + sm + ": "
                + switch (state) {
                    case "held" -> "held by somebody else";
                    case "idle" -> "no tile";
                    default ->
                        tiles + (tiles == 1 ? " tile" : " tiles") + " from " + Figures.us((double) from) + " to "
                                + Figures.us((double) to) + ", then idle for " + Figures.us((double) (end - to));
                };
        boolean busy = state.equals("busy");
        return new Row(
                state,
                sm * thick,
                thick * 0.85,
                busy ? from * scale : 0,
                busy ? Math.max(1, (to - from) * scale) : WIDTH,
                busy ? to * scale : WIDTH,
                busy ? (end - to) * scale : 0,
                says);
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
