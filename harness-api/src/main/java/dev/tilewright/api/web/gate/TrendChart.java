package dev.tilewright.api.web.gate;

import dev.tilewright.api.web.Figures;
import dev.tilewright.gate.document.GateTrend;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The effects of a case over the runs of a branch.
 *
 * @param series one for each kind of GPU
 * @param says the chart in one sentence, by its name
 */
record TrendChart(List<GateTrend.Series> series, Map<String, String> says) {

    static TrendChart of(GateTrend trend) {
        List<GateTrend.Series> series =
                trend.series().stream().filter(each -> !each.points().isEmpty()).toList();
        return new TrendChart(
                series,
                Map.of(
                        "trend",
                        series.isEmpty()
                                ? "No run has timed this case."
                                : series.stream().map(TrendChart::says).collect(Collectors.joining("; ", "", "."))));
    }

    private static String says(GateTrend.Series series) {
        GateTrend.Point newest = series.points().getLast();
        return "On " + series.gpu() + " the newest of "
                + Figures.count(series.points().size(), "run")
                + " takes longer by "
                + Figures.effect(newest.percent(), newest.low(), newest.high()) + ", and the effect "
                + (series.changes().isEmpty()
                        ? "has not changed for good"
                        : "has changed for good from commit " + commits(series.changes()) + " on");
    }

    private static String commits(List<GateTrend.Change> changes) {
        return changes.stream().map(change -> RunLine.commit(change.commit())).collect(Collectors.joining(" and "));
    }
}
