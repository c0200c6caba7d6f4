package dev.tilewright.worker.measure;

import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.trial.Measurement;
import dev.tilewright.model.trial.Mode;
import dev.tilewright.model.trial.Stage;
import dev.tilewright.worker.stats.BlockSummary;
import dev.tilewright.worker.stats.Quantiles;
import java.util.List;

/** Sums up blocks. */
public final class Summaries {

    private Summaries() {}

    /**
     * The measurement that some blocks of one arm make.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static Measurement of(Problem problem, Mode mode, Stage stage, List<Run> blocks) {
        BlockSummary summary =
                BlockSummary.of(blocks.stream().mapToDouble(Run::launchNs).toArray());
        double[] clocks = blocks.stream()
                .flatMapToDouble(run -> run.smClockMhz().stream())
                .toArray();
        return new Measurement(
                mode,
                stage,
                blocks.size(),
                blocks.stream().mapToInt(Run::launches).sum(),
                summary.median(),
                summary.low(),
                summary.high(),
                problem.tflops(summary.median()),
                clocks.length == 0 ? null : Quantiles.median(clocks));
    }
}
