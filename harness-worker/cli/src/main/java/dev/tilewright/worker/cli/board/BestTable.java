package dev.tilewright.worker.cli.board;

import dev.tilewright.model.exchange.BestConfigs;
import dev.tilewright.model.exchange.BestConfigs.BestConfig;
import dev.tilewright.model.problem.Problem;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The best known configs as a table.
 *
 * @param question the words of the question, each behind a blank, for an answer without a config
 */
public record BestTable(BestConfigs document, String question) implements Board {

    /** All lines; if there is no config, one that says so. */
    @Override
    public List<String> lines(int width) {
        if (document.items().isEmpty()) {
            return List.of("no best config is known" + question
                    + ": only finals on a real GPU make one, and predictions and proofs have none"
                    + " (tune --json FILE keeps what a simulated tune found)");
        }
        List<FamilyConfig> configs =
                document.items().stream().map(BestTable::config).toList();
        CompactConfig form = CompactConfig.of(configs);
        TextTable table = new TextTable(
                List.of(
                        "shape",
                        "type",
                        "testbed",
                        "family",
                        "config",
                        "us",
                        "TFLOP/s",
                        "GB/s",
                        "roofline",
                        "95 % of TFLOP/s",
                        "to best peer",
                        "since"),
                "lllllrrrrlll");
        for (BestConfig item : document.items()) {
            Problem problem = item.problem().problem();
            List<String> row = new ArrayList<>(List.of(
                    problem.isPlain() ? item.shape() : item.problem().toString(),
                    item.dtype(),
                    Leaderboard.describe(item.testbed()),
                    item.family(),
                    form.format(config(item))));
            row.addAll(Rates.of(problem, item.testbed()).cells(item.medianNs()));
            row.addAll(List.of(
                    interval(item),
                    ratio(item.ratioToBestPeer(), item.ratioToBestPeerCi()),
                    item.finishedAt() == null ? "-" : item.finishedAt().toString()));
            table.add(row);
        }
        List<String> lines = new ArrayList<>(table.lines(width));
        lines.addAll(Legend.of(form, configs).lines(width));
        if (document.items().size() == 1) {
            BestConfig only = document.items().getFirst();
            lines.addAll(
                    CommandLines.ofTheBest(only.problem().problem(), only.family(), only.config(), only.trialId()));
        } else {
            lines.add(
                    "(one row alone, by --shape and the other options, has the lines that time it again and export it)");
        }
        document.items().stream()
                .flatMap(item -> Stream.ofNullable(item.stale()))
                .collect(Collectors.groupingBy(why -> why, LinkedHashMap::new, Collectors.counting()))
                .forEach((why, count) -> lines.add(
                        count + " of these may be best no longer: " + why + "; tilewright refresh times them again"));
        return lines;
    }

    private static FamilyConfig config(BestConfig item) {
        return new FamilyConfig(item.family(), item.config());
    }

    private static String interval(BestConfig item) {
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
