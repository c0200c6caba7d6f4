package dev.tilewright.worker.cli.refresh;

import dev.tilewright.model.exchange.BestConfigs.BestConfig;
import dev.tilewright.worker.cli.board.Board;
import dev.tilewright.worker.cli.board.CompactConfig;
import dev.tilewright.worker.cli.board.FamilyConfig;
import dev.tilewright.worker.cli.board.TextTable;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A table with a line for each best config and its finding. */
public record RefreshTable(List<Refreshed> all) implements Board {

    @Override
    public List<String> lines(int width) {
        CompactConfig form =
                CompactConfig.of(all.stream().map(one -> config(one.known())).toList());
        TextTable table = new TextTable(
                List.of(
                        "problem",
                        "on",
                        "winner then",
                        "us then",
                        "us now",
                        "over default then",
                        "now",
                        "lost",
                        "decided"),
                "lllrrrrrl");
        for (Refreshed one : all) {
            BestConfig known = one.known();
            Refreshed.Time time = one.time();
            table.add(List.of(
                    known.problem().toString(),
                    known.testbed().device(),
                    form.format(config(known)),
                    us(known.medianNs()),
                    time == null ? "-" : us(time.medianNs()),
                    ratio(known.ratioToDefault()),
                    time == null ? "-" : ratio(time.ratioToDefault()),
                    one.lost().isPresent()
                            ? String.format(
                                    Locale.ROOT, "%.1f %%", 100 * one.lost().getAsDouble())
                            : "-",
                    one.words()));
        }
        return table.lines(width);
    }

    private static FamilyConfig config(BestConfig known) {
        return new FamilyConfig(known.family(), known.config());
    }

    private static String us(double ns) {
        return String.format(Locale.ROOT, "%.2f", ns / 1e3);
    }

    private static String ratio(@Nullable Double ratio) {
        return ratio == null ? "-" : String.format(Locale.ROOT, "%.3f", ratio);
    }
}
