package dev.tilewright.gate.decision;

import dev.tilewright.gate.document.GateVerdict;
import dev.tilewright.gate.document.Margins;
import dev.tilewright.gate.statistics.Quantiles;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Whether both kernels ran at one clock. Where they did not, a slower one is slower in cycles too, or it does not fail.
 *
 * @param apart whether the median clocks differ by more than a hundredth
 * @param cycles log-ratio of each block
 */
record ClockCheck(boolean apart, double[] cycles) {

    private static final double MOST_APART = 0.01;

    static ClockCheck of(List<PairedBlock> blocks) {
        if (blocks.stream().anyMatch(block -> Double.isNaN(block.logRatioOfCycles()))) {
            return new ClockCheck(false, new double[0]);
        }
        double candidate = median(blocks, PairedBlock::candidateMhz);
        double baseline = median(blocks, PairedBlock::baselineMhz);
        return new ClockCheck(
                Math.abs(candidate / baseline - 1) > MOST_APART,
                blocks.stream().mapToDouble(PairedBlock::logRatioOfCycles).toArray());
    }

    private static double median(List<PairedBlock> blocks, Function<PairedBlock, @Nullable Double> clock) {
        return Quantiles.median(blocks.stream()
                .mapToDouble(block -> Objects.requireNonNull(clock.apply(block)))
                .toArray());
    }

    boolean agrees(GateRule rule, Margins margins) {
        return !apart || StageBounds.of(rule, margins, cycles).verdict(margins) == GateVerdict.FAIL;
    }
}
