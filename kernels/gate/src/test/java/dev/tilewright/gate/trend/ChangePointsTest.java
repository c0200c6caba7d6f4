package dev.tilewright.gate.trend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ChangePointsTest {

    private static final int POINTS = 100;

    private final Random random = new Random(20261125);

    /** Around zero with deviation 1. */
    private double[] stationary(int points, double rho) {
        double[] series = new double[points];
        double state = random.nextGaussian();
        for (int i = 0; i < points; i++) {
            state = rho * state + Math.sqrt(1 - rho * rho) * random.nextGaussian();
            series[i] = state;
        }
        return series;
    }

    @ParameterizedTest
    @CsvSource({"0, 0.01", "0.3, 0.03", "0.5, 0.05"})
    void aSeriesWithoutAChangeHardlyEverHasOne(double rho, double most) {
        int wrong = 0;
        int series = 3000;
        for (int i = 0; i < series; i++) {
            wrong += ChangePoints.of(stationary(POINTS, rho)).isEmpty() ? 0 : 1;
        }
        assertThat(wrong / (double) series).isLessThanOrEqualTo(most);
    }

    @ParameterizedTest
    @CsvSource({"30, 0.75", "50, 0.8", "90, 0.85"})
    void aStepOfTwoDeviationsIsFoundTenPointsLater(int before, double least) {
        int found = 0;
        int placed = 0;
        int series = 500;
        for (int i = 0; i < series; i++) {
            double[] values = stationary(before + 10, 0);
            for (int late = before; late < values.length; late++) {
                values[late] += 2;
            }
            List<ChangePoint> changes = ChangePoints.of(values);
            found += changes.isEmpty() ? 0 : 1;
            placed += changes.stream().anyMatch(change -> Math.abs(change.index() - before) <= 2) ? 1 : 0;
        }
        assertThat(found / (double) series).as("anywhere").isGreaterThan(0.9);
        assertThat(placed / (double) series).as("within two points").isGreaterThan(least);
    }

    @Test
    void upAndDownAgainAreTwoChanges() {
        double[] values = stationary(90, 0);
        for (int i = 0; i < values.length; i++) {
            values[i] = 0.1 * values[i] + (i >= 40 && i < 60 ? 1 : 0);
        }
        List<ChangePoint> changes = ChangePoints.of(values);
        assertThat(changes).extracting(ChangePoint::index).containsExactly(40, 60);
        assertThat(changes.getFirst().before()).isCloseTo(0, within(0.1));
        assertThat(changes.getFirst().after()).isCloseTo(1, within(0.1));
        assertThat(changes.getLast().after()).isCloseTo(0, within(0.1));
        assertThat(changes).allMatch(change -> change.p() < 1e-6);
    }

    @Test
    void oneWildPointIsNoChange() {
        double[] values = stationary(60, 0);
        values[30] = 25;
        assertThat(ChangePoints.of(values)).isEmpty();
    }

    @Test
    void whatIsTooShortOrDoesNotVaryHasNone() {
        assertThat(ChangePoints.of()).isEmpty();
        assertThat(ChangePoints.of(0, 0, 0, 0, 9, 9, 9, 9)).isEmpty();
        double[] constant = new double[40];
        Arrays.fill(constant, 0.25);
        assertThat(ChangePoints.of(constant)).isEmpty();
        Arrays.fill(constant, 20, 40, 0.5);
        assertThat(ChangePoints.of(constant)).extracting(ChangePoint::index).containsExactly(20);
    }
}
