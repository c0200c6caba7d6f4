package dev.tilewright.worker.board;

import dev.tilewright.worker.board.BestDocument.Item;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The best known configs as a table. */
public record BestTable(BestDocument document) {

    /**
     * All lines; if there is no config, one that says so.
     *
     * @param question what was asked for, for the case that there is nothing
     */
    public List<String> lines(String question) {
        if (document.items().isEmpty()) {
            String note = document.note() == null ? "" : " (" + document.note() + ")";
            return List.of("no best config is known" + question + note);
        }
        CompactConfig form =
                CompactConfig.of(document.items().stream().map(Item::config).toList());
        TextTable table = new TextTable(
                List.of(
                        "shape",
                        "type",
                        "testbed",
                        "family",
                        "config",
                        "TFLOP/s",
                        "95 % interval",
                        "to best peer",
                        "since"),
                "lllllrlll");
        for (Item item : document.items()) {
            table.add(List.of(
                    item.shape(),
                    item.dtype(),
                    Leaderboard.describe(item.testbed()),
                    item.family(),
                    form.format(item.config()),
                    String.format(Locale.ROOT, "%.1f", item.tflops()),
                    interval(item),
                    ratio(item.ratioToBestPeer(), item.ratioToBestPeerCi()),
                    item.finishedAt() == null ? "-" : item.finishedAt()));
        }
        return new ArrayList<>(table.lines());
    }

    private static String interval(Item item) {
        Double low = item.ciLowNs();
        Double high = item.ciHighNs();
        double work = item.tflops() * item.medianNs();
        return low == null || high == null ? "-" : String.format(Locale.ROOT, "[%.1f, %.1f]", work / high, work / low);
    }

    private static String ratio(@Nullable Double ratio, @Nullable List<Double> interval) {
        if (ratio == null) {
            return "-";
        }
        return Leaderboard.ratio(ratio, interval);
    }
}
