package dev.tilewright.worker.gpu.measure;

import dev.tilewright.gate.statistics.Quantiles;
import dev.tilewright.model.trial.Measurement;
import dev.tilewright.model.trial.Mode;
import dev.tilewright.model.trial.Ratio;
import dev.tilewright.model.trial.Stage;
import dev.tilewright.worker.gpu.stats.BlockSummary;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Sums up blocks. */
public final class Summaries {

    private Summaries() {}

    /**
     * The measurement that some blocks of one arm make.
     *
     * @param ratioToAnchor of the same blocks; {@code null} if no anchor ran in them
     * @throws IllegalArgumentException if there is no block
     */
    public static Measurement of(Mode mode, Stage stage, List<Run> blocks, @Nullable Ratio ratioToAnchor) {
        BlockSummary summary =
                BlockSummary.of(blocks.stream().mapToDouble(Run::launchNs).toArray());
        return new Measurement(
                mode,
                stage,
                blocks.size(),
                blocks.stream().mapToInt(Run::launches).sum(),
                summary.median(),
                summary.low(),
                summary.high(),
                median(blocks, Run::smClockMhz),
                median(blocks, Run::powerWatts),
                median(blocks, Run::temperatureCelsius),
                ratioToAnchor);
    }

    private static @Nullable Double median(List<Run> blocks, Function<Run, OptionalDouble> reading) {
        double[] seen = blocks.stream()
                .flatMapToDouble(run -> reading.apply(run).stream())
                .toArray();
        return seen.length == 0 ? null : Quantiles.median(seen);
    }
}
