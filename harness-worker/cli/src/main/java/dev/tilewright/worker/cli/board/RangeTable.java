package dev.tilewright.worker.cli.board;

import dev.tilewright.model.problem.RangedProblem;
import dev.tilewright.model.range.MeanLoss;
import dev.tilewright.simulator.RangePredictions;
import dev.tilewright.space.families.ProblemText;
import java.util.ArrayList;
import java.util.List;

/**
 * The kernels that a model would use for a range of M, as a table with its regret.
 *
 * @param options of {@code predict} beside problem, family and device, each behind a blank
 */
public record RangeTable(RangePredictions predictions, RangedProblem problem, String options) implements Board {

    @Override
    public List<String> lines(int width) {
        List<String> lines = new ArrayList<>(PredictionTable.heading(
                predictions.problem(), predictions.family(), predictions.device(), predictions.version()));
        lines.addAll(new SpanTable(predictions.family(), predictions.kernels()).lines(width));
        lines.add(SpanTable.regret(
                predictions.regret(),
                predictions.drawn() ? "drawn M (seed " + predictions.seed() + ")" : "M, all of which were searched",
                "the best config that the model finds at each"));
        lines.add(MeanLoss.line(predictions.lost()));
        lines.add(
                "chosen among " + predictions.screened() + " configs; by waves, in which all tiles take the same time");
        lines.add("again: tilewright predict" + ProblemText.of(problem) + " --family " + predictions.family()
                + " --device simulated:" + predictions.device() + options);
        return lines;
    }
}
