package dev.tilewright.worker.cli.board;

import dev.tilewright.model.problem.RangedProblem;
import dev.tilewright.model.range.Regret;
import dev.tilewright.simulator.RangePredictions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The kernels that a model would use for a range of M, as a table with its regret.
 *
 * @param settings those of {@code --set}
 */
public record RangeTable(RangePredictions predictions, RangedProblem problem, List<String> settings) {

    /** All lines. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>(PredictionTable.heading(
                predictions.problem(), predictions.family(), predictions.device(), predictions.version()));
        List<FamilyConfig> configs =
                predictions.kernels().stream().map(this::config).toList();
        CompactConfig form = CompactConfig.of(configs);
        TextTable table = new TextTable(List.of("from M", "to M", "config", "us at from", "us at to"), "rrlrr");
        for (RangePredictions.Span span : predictions.kernels()) {
            table.add(List.of(
                    Integer.toString(span.from()),
                    Integer.toString(span.to()),
                    form.format(config(span)),
                    Rates.us(1e3 * span.usFrom()),
                    Rates.us(1e3 * span.usTo())));
        }
        lines.addAll(table.lines());
        lines.addAll(Legend.of(form, configs).lines());
        lines.add(regret(predictions.regret()));
        lines.add(
                "chosen among " + predictions.screened() + " configs; by waves, in which all tiles take the same time");
        String only = settings.stream().map(setting -> " --set " + setting).collect(Collectors.joining());
        lines.add("again: tilewright predict" + CommandLines.range(problem) + " --family " + predictions.family()
                + " --device simulated:" + predictions.device() + only);
        return lines;
    }

    private String regret(Regret regret) {
        return String.format(
                Locale.ROOT,
                "regret at %d %s, beside the best config that the model finds at each:"
                        + " median %.1f %%, 95th percentile %.1f %%, worst %.1f %% at M = %d",
                regret.checks().size(),
                predictions.drawn() ? "drawn M (seed " + predictions.seed() + ")" : "M, all of which were searched",
                100 * regret.median(),
                100 * regret.p95(),
                100 * regret.worst(),
                regret.worstAt());
    }

    private FamilyConfig config(RangePredictions.Span span) {
        return new FamilyConfig(predictions.family(), span.config());
    }
}
