package dev.tilewright.api.web.job;

import dev.tilewright.model.exchange.RangeDocument;
import dev.tilewright.model.range.Regret;
import dev.tilewright.model.range.Span;
import dev.tilewright.model.space.Config;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The time of a launch over M, a line for each kernel of the table, with the checks as points.
 *
 * @param checks at which the table was held against other kernels; none before they are over
 * @param says the chart in one sentence, by its name
 */
record RangeChart(List<Line> kernels, List<Regret.Check> checks, Map<String, String> says) {

    /**
     * A kernel, which may reign more than once.
     *
     * @param number from 1, in the order of the table
     * @param stretches each the M and the microseconds at its two ends
     */
    record Line(int number, List<List<Double>> stretches) {}

    /** The chart of a table. */
    static RangeChart of(RangeDocument.Table table) {
        Map<Config, List<List<Double>>> stretches = new LinkedHashMap<>();
        for (Span span : table.kernels()) {
            stretches
                    .computeIfAbsent(span.config(), _ -> new ArrayList<>())
                    .add(List.of((double) span.from(), span.usFrom(), (double) span.to(), span.usTo()));
        }
        List<Line> lines = new ArrayList<>();
        stretches.forEach((_, ofOne) -> lines.add(new Line(lines.size() + 1, List.copyOf(ofOne))));
        Regret regret = table.regret();
        return new RangeChart(
                lines,
                regret == null ? List.of() : regret.checks(),
                Map.of(
                        "range",
                        "The kernels of the table, each with its colour where it is launched. A filled point is the"
                                + " table's kernel at an M of the checks, a hollow one the fastest there. "
                                + RangeView.regret(table)));
    }
}
