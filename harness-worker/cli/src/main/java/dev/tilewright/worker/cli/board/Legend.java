package dev.tilewright.worker.cli.board;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The legend of the marks below a table.
 *
 * @param meanings of each mark, in the order in which they occur
 */
record Legend(Map<String, String> meanings) {

    private static final int WIDTH = 118;
    private static final String HEAD = "legend: ";

    /** Of the configs of a table. */
    static Legend of(CompactConfig form, List<FamilyConfig> configs) {
        return new Legend(form.legend(configs));
    }

    /** The same with an example of tiles per SM. */
    Legend with(Optional<TileHistogram> tiles) {
        Map<String, String> more = new LinkedHashMap<>(meanings);
        tiles.ifPresent(histogram -> more.put(histogram.words(), histogram.meaning()));
        return new Legend(more);
    }

    /** The same with the marks of another table. */
    Legend and(Legend other) {
        Map<String, String> more = new LinkedHashMap<>(meanings);
        other.meanings.forEach(more::putIfAbsent);
        return new Legend(more);
    }

    /** On lines that fit a wide terminal; none if there is nothing to explain. */
    List<String> lines() {
        return lines(WIDTH);
    }

    /** On lines that fit a terminal, as far as each meaning does. */
    List<String> lines(int width) {
        int most = Math.min(WIDTH, width - 1);
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder(HEAD);
        boolean begun = false;
        for (Map.Entry<String, String> entry : meanings.entrySet()) {
            String part = entry.getKey() + " = " + entry.getValue();
            if (begun && line.length() + 2 + part.length() > most) {
                lines.add(line.append(';').toString());
                line = new StringBuilder(" ".repeat(HEAD.length()));
                begun = false;
            }
            line.append(begun ? "; " : "").append(part);
            begun = true;
        }
        if (begun) {
            lines.add(line.toString());
        }
        return lines;
    }

    /** As one paragraph of Markdown. */
    Optional<String> markdown() {
        return meanings.isEmpty()
                ? Optional.empty()
                : Optional.of("Legend: "
                        + meanings.entrySet().stream()
                                .map(entry -> "`" + entry.getKey() + "` " + entry.getValue())
                                .collect(Collectors.joining("; "))
                        + ".");
    }
}
