package dev.tilewright.gate.decision;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.gate.statistics.BlockMean;
import dev.tilewright.gate.statistics.Quantiles;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Two rows of the table of decision rules that this one was chosen by (the last two of section 3.4 of the reference on
 * measurement and gates), in its model of noise: an effect of the session, a drift, launches that scatter, and one in a
 * hundred that takes a tenth longer.
 */
class DecisionRulesTest {

    private static final int LAUNCHES = 5;
    private static final double ERROR = 0.01;

    private final Random random = new Random(20261125);
    private double drift;

    @ParameterizedTest
    @CsvSource({
        "0.0, 0.2, 2.0, 0.0, 0.1",
        "0.5, 99.0, 100, 0.2, 3.0",
        "1.0, 100, 100, 99.5, 100",
        "2.0, 100, 100, 100, 100",
        "5.0, 100, 100, 100, 100"
    })
    void aBoundOfPairedBlocksFindsSlowdownsAndCriesWolfAsOftenAsItSays(
            double percent, double leastOverZero, double mostOverZero, double leastOverHalf, double mostOverHalf) {
        int trials = percent == 0 ? 2000 : 400;
        int overZero = 0;
        int overHalf = 0;
        for (int trial = 0; trial < trials; trial++) {
            double low = BlockMean.of(blocks(Blocks.slower(percent))).low(ERROR);
            overZero += low > 0 ? 1 : 0;
            overHalf += low > Blocks.slower(0.5) ? 1 : 0;
        }
        assertThat(100.0 * overZero / trials).isBetween(leastOverZero, mostOverZero);
        assertThat(100.0 * overHalf / trials).isBetween(leastOverHalf, mostOverHalf);
    }

    private double[] blocks(double effect) {
        double session = 0.004 * random.nextGaussian();
        drift = 0.002 * random.nextGaussian();
        double[] blocks = new double[40];
        for (int i = 0; i < blocks.length; i++) {
            boolean candidateFirst = random.nextBoolean();
            double first = run(session + (candidateFirst ? effect : 0));
            double second = run(session + (candidateFirst ? 0 : effect));
            blocks[i] = candidateFirst ? first - second : second - first;
        }
        return blocks;
    }

    /** Median over the launches of a run, of the logarithm. */
    private double run(double level) {
        double[] launches = new double[LAUNCHES];
        for (int i = 0; i < launches.length; i++) {
            drift = 0.95 * drift + 0.002 * Math.sqrt(1 - 0.95 * 0.95) * random.nextGaussian();
            double spike = random.nextInt(100) == 0 ? 0.1 : 0;
            launches[i] = level + drift + 0.005 * random.nextGaussian() + spike;
        }
        return Quantiles.median(launches);
    }
}
