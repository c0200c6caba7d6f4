package dev.tilewright.api.web.job;

import dev.tilewright.model.exchange.RangeDocument;
import dev.tilewright.model.problem.RangedProblem;
import dev.tilewright.model.problem.ShapeRange;
import dev.tilewright.model.range.Regret;
import dev.tilewright.model.range.Span;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.Testbed;
import dev.tilewright.simulator.Roofline;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The time of a launch over M, a line for each kernel of the table, with the checks as points; and its shares of what
 * the datasheet of the GPU says.
 *
 * @param checks at which the table was held against other kernels; none before they are over
 * @param limits by the name of their chart; none of a GPU without a known datasheet
 * @param says the charts in a few sentences, by their names
 */
record RangeChart(List<Line> kernels, List<Regret.Check> checks, Map<String, Limit> limits, Map<String, String> says) {

    private static final String BANDWIDTH = "bandwidth";
    private static final String TENSOR = "tensor";

    /**
     * A kernel, which may reign more than once.
     *
     * @param number from 1, in the order of the table
     * @param stretches each the M and the microseconds at its two ends
     */
    record Line(int number, List<List<Double>> stretches) {}

    /**
     * The least time of a launch by one rate of the GPU, a line over M.
     *
     * @param fixedUs microseconds with no rows
     * @param usOfRow microseconds more with each row of M
     */
    record Limit(double fixedUs, double usOfRow) {

        /** @param ns nanoseconds of the problem with an M */
        static Limit of(ShapeRange range, IntToDoubleFunction ns) {
            double least = ns.applyAsDouble(range.least());
            double ofRow = (ns.applyAsDouble(range.most()) - least) / (range.most() - range.least());
            return new Limit((least - range.least() * ofRow) / 1e3, ofRow / 1e3);
        }
    }

    /** Whether the datasheet of the GPU is known. */
    static boolean hasLimits(@Nullable Testbed testbed) {
        return testbed != null && Roofline.of(testbed).isPresent();
    }

    /**
     * The charts of a table.
     *
     * @param testbed on which it was timed; {@code null} if nobody knows
     */
    static RangeChart of(RangeDocument document, RangeDocument.Table table, @Nullable Testbed testbed) {
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
                testbed == null
                        ? Map.of()
                        : Roofline.of(testbed)
                                .map(roofline ->
                                        limits(roofline, document.problem().ranged()))
                                .orElse(Map.of()),
                Map.of(
                        "range",
                        "The kernels of the table, each with its colour where it is launched. A filled point is the"
                                + " table's kernel at an M of the checks, a hollow one the fastest there. "
                                + RangeView.regret(table),
                        BANDWIDTH,
                        "The share of the memory's bandwidth with A, B and D moved once. With few rows it is the limit.",
                        TENSOR,
                        "The share of the dense rate of the tensor cores. With many rows it is the limit."));
    }

    private static Map<String, Limit> limits(Roofline roofline, RangedProblem problem) {
        return Map.of(
                BANDWIDTH,
                Limit.of(problem.range(), m -> roofline.memoryNs(problem.at(m))),
                TENSOR,
                Limit.of(problem.range(), m -> roofline.tensorNs(problem.at(m)).orElseThrow()));
    }
}
