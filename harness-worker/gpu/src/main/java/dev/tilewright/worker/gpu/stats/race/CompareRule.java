package dev.tilewright.worker.gpu.stats.race;

import dev.tilewright.model.exchange.GpuTaskResult.CompareVerdict;
import dev.tilewright.model.trial.Ratio;
import dev.tilewright.worker.gpu.stats.PairedBlocks;
import java.util.List;

/**
 * When two kernels have been timed beside each other for long enough, and what is said of them.
 *
 * <p>The blocks are looked at a few times. A look that finds the whole interval on one side of the margin, or inside
 * it, ends the comparison. The error is divided among the looks, so that all of them together spend no more than it.
 *
 * @param margin difference that matters, as a logarithm: 0.005 is half a percent
 * @param error greatest probability that the interval of any look misses the truth
 * @param looks how many blocks there are at each look, growing; the last one ends the comparison
 */
public record CompareRule(double margin, double error, List<Integer> looks) {

    /**
     * Half a percent, an error of one in a hundred, and at most 320 blocks. A block has two runs of 2 ms, so that all
     * of them take 1.3 s of the GPU. The mean of 40 was seen to deviate by 0.08 to 0.14 %
     * ({@code docs/results/h200/instrument.jsonl}): no more than 40 would leave most equal kernels without a verdict.
     */
    public static final CompareRule STANDARD = new CompareRule(0.005, 0.01, List.of(20, 40, 80, 160, 320));

    public CompareRule {
        looks = List.copyOf(looks);
        if (!(margin > 0 && error > 0 && error < 1) || looks.isEmpty() || looks.getFirst() < 2) {
            throw new IllegalArgumentException(
                    "a comparison has a positive margin, an error in 0..1 and looks at 2 blocks or more, got " + margin
                            + ", " + error + " and " + looks);
        }
    }

    /** The interval of a look: how much faster the first is than the second. */
    public Ratio ratio(PairedBlocks pair) {
        double each = error / looks.size() / 2;
        return pair.ratio(each, each);
    }

    /** What an interval says. */
    public CompareVerdict verdict(Ratio ratio) {
        double low = Math.log(ratio.low());
        double high = Math.log(ratio.high());
        if (low > margin) {
            return CompareVerdict.FASTER;
        }
        if (high < -margin) {
            return CompareVerdict.SLOWER;
        }
        return low > -margin && high < margin ? CompareVerdict.SAME : CompareVerdict.INCONCLUSIVE;
    }
}
