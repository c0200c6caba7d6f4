package dev.tilewright.gate.decision;

import dev.tilewright.gate.statistics.BlockMean;
import dev.tilewright.model.exchange.GpuTaskResult.CompareVerdict;
import dev.tilewright.model.exchange.StopRule;
import dev.tilewright.model.trial.Ratio;
import java.util.Collections;

/**
 * The decision on two kernels without a gate: which one is faster by more than a margin.
 *
 * @param ratio how much faster the first is
 */
public record PairDecision(CompareVerdict verdict, Ratio ratio) {

    /**
     * Decides at a look: by the side of the thresholds that the whole interval is on.
     *
     * @param look from 0
     * @param seen ln(time of the first / time of the second)
     */
    public static PairDecision of(StopMonitor monitor, StopRule rule, int look, BlockMean seen) {
        double low = monitor.low(look, seen);
        double high = monitor.high(look, seen);
        Ratio ratio = new Ratio(Math.exp(-seen.mean()), Math.exp(-high), Math.exp(-low), seen.blocks());
        return new PairDecision(verdict(monitor, rule, look, seen), ratio);
    }

    private static CompareVerdict verdict(StopMonitor monitor, StopRule rule, int look, BlockMean seen) {
        if (!monitor.isClear(look, seen)) {
            return CompareVerdict.INCONCLUSIVE;
        }
        if (seen.mean() > Collections.max(rule.thresholds())) {
            return CompareVerdict.SLOWER;
        }
        return seen.mean() < Collections.min(rule.thresholds()) ? CompareVerdict.FASTER : CompareVerdict.SAME;
    }
}
