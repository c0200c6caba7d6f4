package dev.tilewright.worker.gpu.stats.race;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.model.exchange.GpuTaskResult.CompareVerdict;
import dev.tilewright.model.trial.Ratio;
import dev.tilewright.worker.gpu.stats.PairedBlocks;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CompareRuleTest {

    private static final CompareRule RULE = CompareRule.STANDARD;
    private static final int COMPARISONS = 2000;
    private static final int MOST = CompareRule.STANDARD.looks().getLast();
    /** Of the logarithm of a run; the instrument saw 40 mirrored blocks deviate by 0.08 to 0.14 % in the mean. */
    private static final double DEVIATION = 0.006;

    /** The verdicts of many comparisons of two kernels, the first of which takes so much longer. */
    private static Map<CompareVerdict, Integer> verdicts(double slower, long seed) {
        Random random = new Random(seed);
        Map<CompareVerdict, Integer> counts = new EnumMap<>(CompareVerdict.class);
        for (int i = 0; i < COMPARISONS; i++) {
            counts.merge(verdict(slower, random), 1, Integer::sum);
        }
        return counts;
    }

    private static CompareVerdict verdict(double slower, Random random) {
        double[] first = random.doubles(MOST)
                .map(_ -> 1e4 * Math.exp(slower + DEVIATION * random.nextGaussian()))
                .toArray();
        double[] second = random.doubles(MOST)
                .map(_ -> 1e4 * Math.exp(DEVIATION * random.nextGaussian()))
                .toArray();
        CompareVerdict verdict = CompareVerdict.INCONCLUSIVE;
        for (int look : RULE.looks()) {
            PairedBlocks pair = PairedBlocks.of(Arrays.copyOf(first, look), Arrays.copyOf(second, look));
            verdict = RULE.verdict(RULE.ratio(pair));
            if (verdict != CompareVerdict.INCONCLUSIVE) {
                break;
            }
        }
        return verdict;
    }

    @Test
    void ofEqualKernelsHardlyAnyIsCalledFasterOrSlower() {
        Map<CompareVerdict, Integer> counts = verdicts(0, 20261125);
        int wrong = counts.getOrDefault(CompareVerdict.FASTER, 0) + counts.getOrDefault(CompareVerdict.SLOWER, 0);
        assertThat(wrong).as("%s", counts).isLessThanOrEqualTo(COMPARISONS / 100);
        assertThat(counts.getOrDefault(CompareVerdict.INCONCLUSIVE, 0))
                .as("%s", counts)
                .isLessThanOrEqualTo(COMPARISONS / 50);
    }

    @Test
    void twoPercentAreSeen() {
        assertThat(verdicts(0.02, 20261126)).containsOnlyKeys(CompareVerdict.SLOWER);
        assertThat(verdicts(-0.02, 20261127)).containsOnlyKeys(CompareVerdict.FASTER);
    }

    @Test
    void onePercentIsSeenInNinetyFiveOfAHundred() {
        Map<CompareVerdict, Integer> counts = verdicts(0.01, 20261128);
        assertThat(counts).doesNotContainKeys(CompareVerdict.FASTER, CompareVerdict.SAME);
        assertThat(counts.get(CompareVerdict.SLOWER)).as("%s", counts).isGreaterThan(COMPARISONS * 95 / 100);
    }

    @ParameterizedTest
    @CsvSource({
        "1.006, 1.02, FASTER",
        "1.004, 1.02, INCONCLUSIVE",
        "0.996, 1.004, SAME",
        "0.98, 1.02, INCONCLUSIVE",
        "0.97, 0.98, SLOWER",
        "0.97, 0.997, INCONCLUSIVE"
    })
    void theWholeIntervalDecides(double low, double high, CompareVerdict verdict) {
        assertThat(RULE.verdict(new Ratio((low + high) / 2, low, high, 10))).isEqualTo(verdict);
    }

    @Test
    void aRuleWithoutLooksIsRefused() {
        assertThatThrownBy(() -> new CompareRule(0.005, 0.01, List.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("looks at 2 blocks or more, got");
    }
}
