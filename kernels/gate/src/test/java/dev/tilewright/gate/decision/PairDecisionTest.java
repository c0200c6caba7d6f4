package dev.tilewright.gate.decision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.tilewright.gate.statistics.BlockMean;
import dev.tilewright.model.exchange.GpuTaskResult.CompareVerdict;
import dev.tilewright.model.exchange.StopRule;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PairDecisionTest {

    private static final StopRule RULE = StopRule.COMPARISON;
    private static final StopMonitor MONITOR = new StopMonitor(RULE);
    private static final int COMPARISONS = 2000;
    /** Of a block; the instrument saw 40 mirrored blocks deviate by 0.08 to 0.14 % in the mean. */
    private static final double DEVIATION = 0.0085;

    /** The verdicts of many comparisons of two kernels, the first of which takes so much longer. */
    private static Map<CompareVerdict, Integer> verdicts(double slower, long seed) {
        Random random = new Random(seed);
        Map<CompareVerdict, Integer> counts = new EnumMap<>(CompareVerdict.class);
        for (int i = 0; i < COMPARISONS; i++) {
            double[] blocks = new double[RULE.looks().getLast()];
            Arrays.setAll(blocks, block -> slower + DEVIATION * random.nextGaussian());
            counts.merge(decision(blocks).verdict(), 1, Integer::sum);
        }
        return counts;
    }

    private static PairDecision decision(double[] blocks) {
        for (int look = 0; ; look++) {
            BlockMean seen = BlockMean.of(Arrays.copyOf(blocks, RULE.looks().get(look)));
            if (MONITOR.isOver(look, seen)) {
                return PairDecision.of(MONITOR, RULE, look, seen);
            }
        }
    }

    @Test
    void ofEqualKernelsHardlyAnyIsCalledFasterOrSlower() {
        Map<CompareVerdict, Integer> counts = verdicts(0, 20261125);
        assertThat(counts.getOrDefault(CompareVerdict.SAME, 0)).as("%s", counts).isGreaterThan(COMPARISONS - 20);
    }

    @Test
    void onePercentIsSeenAndHalfAPercentIsHardlyCalledMore() {
        assertThat(verdicts(0.01, 20261126)).containsOnlyKeys(CompareVerdict.SLOWER);
        assertThat(verdicts(-0.02, 20261127)).containsOnlyKeys(CompareVerdict.FASTER);
        Map<CompareVerdict, Integer> half = verdicts(0.005, 20261128);
        assertThat(half.getOrDefault(CompareVerdict.SLOWER, 0)).as("%s", half).isLessThan(COMPARISONS / 100);
        assertThat(half.getOrDefault(CompareVerdict.SAME, 0)).as("%s", half).isLessThan(COMPARISONS / 100);
    }

    /** Bounds of the last look, whose error is 0.005 to either side: 2.6 standard errors. */
    @ParameterizedTest
    @CsvSource({
        "0.0082, 0.001, SLOWER",
        "0.007, 0.001, INCONCLUSIVE",
        "0.002, 0.001, SAME",
        "0, 0.01, INCONCLUSIVE",
        "-0.0082, 0.001, FASTER"
    })
    void theWholeIntervalDecides(double mean, double standardError, CompareVerdict verdict) {
        int blocks = RULE.looks().getLast();
        BlockMean seen = new BlockMean(mean, standardError * Math.sqrt(blocks), blocks, blocks);
        PairDecision decision = PairDecision.of(MONITOR, RULE, RULE.looks().size() - 1, seen);
        assertThat(decision.verdict()).isEqualTo(verdict);
        assertThat(decision.ratio().value()).isCloseTo(Math.exp(-mean), within(1e-12));
        assertThat(decision.ratio().low()).isLessThan(decision.ratio().value());
        assertThat(decision.ratio().high()).isGreaterThan(decision.ratio().value());
    }

    @Test
    void aRuleWithoutLooksOrThresholdsIsRefused() {
        assertThatThrownBy(() -> new StopRule(List.of(), List.of(0.0), 0.01, 0.01))
                .hasMessageContaining("got []");
        assertThatThrownBy(() -> new StopRule(List.of(20), List.of(), 0.01, 0.01))
                .hasMessageContaining("has thresholds, got []");
        assertThatThrownBy(() -> new StopRule(List.of(20), List.of(0.0), 0, 0.01))
                .hasMessageContaining("got 0.0");
    }
}
