package dev.tilewright.worker.cli.board;

import dev.tilewright.model.text.Count;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * How many SMs computed how many tiles, on one short line: {@code 7:112 8:20 █▂} is 112 SMs with 7 tiles and 20 with 8.
 *
 * @param smsByTiles number of SMs for each number of tiles
 */
public record TileHistogram(TreeMap<Integer, Integer> smsByTiles) {

    private static final String BARS = "▁▂▃▄▅▆▇█";
    private static final int WORDS = 4;

    /** Counts; one entry for each SM. */
    public static TileHistogram of(List<Integer> tilesPerSm) {
        TreeMap<Integer, Integer> counts = new TreeMap<>();
        tilesPerSm.forEach(tiles -> counts.merge(tiles, 1, Integer::sum));
        return new TileHistogram(counts);
    }

    /** Fewest tiles of an SM. */
    public int fewest() {
        return smsByTiles.firstKey();
    }

    /** Most tiles of an SM. */
    public int most() {
        return smsByTiles.lastKey();
    }

    /** From the fewest to the most tiles of an SM. */
    public String range() {
        return fewest() == most() ? Integer.toString(most()) : fewest() + ".." + most();
    }

    /** The counts, each with its bar; beyond four different ones the range, then the bars alone. */
    @Override
    public String toString() {
        if (smsByTiles.isEmpty()) {
            return "";
        }
        return words() + " " + bars();
    }

    /** The counts without their bars. */
    String words() {
        return smsByTiles.size() <= WORDS
                ? smsByTiles.entrySet().stream()
                        .map(entry -> entry.getKey() + ":" + entry.getValue())
                        .collect(Collectors.joining(" "))
                : range();
    }

    /** The histogram in words: {@code "4 SMs computed no tile, 128 one"}. */
    String meaning() {
        if (smsByTiles.size() > WORDS) {
            return "SMs computed from " + fewest() + " to " + most() + " tiles, the bars how many of them each";
        }
        List<String> parts = new ArrayList<>();
        smsByTiles.forEach((tiles, sms) -> parts.add((parts.isEmpty() ? Count.of(sms, "SM") : sms) + " computed "
                + (tiles == 0 ? "no tile" : Count.of(tiles, "tile"))));
        return String.join(", ", parts);
    }

    /** One bar for each number of tiles from the fewest to the most; at most 12, neighbours joined. */
    private String bars() {
        int span = most() - fewest() + 1;
        int width = Math.ceilDiv(span, 12);
        int[] sms = new int[Math.ceilDiv(span, width)];
        for (Map.Entry<Integer, Integer> entry : smsByTiles.entrySet()) {
            sms[(entry.getKey() - fewest()) / width] += entry.getValue();
        }
        int highest = 1;
        for (int count : sms) {
            highest = Math.max(highest, count);
        }
        StringBuilder bars = new StringBuilder();
        for (int count : sms) {
            bars.append(count == 0 ? ' ' : BARS.charAt((count * BARS.length() - 1) / highest));
        }
        return bars.toString();
    }
}
