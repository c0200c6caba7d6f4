package dev.tilewright.gate.decision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BoundaryTest {

    /** One-sided 0.025 at equally spaced looks: the tables that every package of group-sequential designs prints. */
    @ParameterizedTest
    @CsvSource({
        "1, 1.960",
        "2, 2.963 1.969",
        "3, 3.710 2.511 1.993",
        "4, 4.333 2.963 2.359 2.014",
        "5, 4.877 3.357 2.680 2.290 2.031"
    })
    void agreesWithTheKnownTables(int looks, String critical) {
        Boundary boundary = Boundary.of(
                IntStream.rangeClosed(1, looks).map(look -> 60 * look).boxed().toList(), 0.025);
        double[] known = Arrays.stream(critical.split(" "))
                .mapToDouble(Double::parseDouble)
                .toArray();
        for (int look = 0; look < looks; look++) {
            assertThat(boundary.critical().get(look)).isCloseTo(known[look], within(6e-4));
        }
    }

    @Test
    void theGateSpendsWhatTheProtocolSays() {
        assertThat(Boundary.spent(0.01, 0.25)).isCloseTo(2.6e-7, within(0.05e-7));
        assertThat(Boundary.spent(0.01, 0.5)).isCloseTo(2.7e-4, within(0.05e-4));
        assertThat(Boundary.spent(0.01, 1)).isCloseTo(0.01, within(1e-12));
    }

    @Test
    void withoutAnEffectItIsCrossedAsOftenAsItSays() {
        Boundary boundary = Boundary.of(List.of(10, 20, 40), 0.05);
        Random random = new Random(20261125);
        int crossed = 0;
        int paths = 200_000;
        for (int path = 0; path < paths; path++) {
            double place = 0;
            double before = 0;
            boolean isOut = false;
            for (int look = 0; look < 3; look++) {
                double time = boundary.times().get(look);
                place += Math.sqrt(time - before) * random.nextGaussian();
                before = time;
                isOut |= place > boundary.critical().get(look) * Math.sqrt(time);
            }
            crossed += isOut ? 1 : 0;
        }
        assertThat(crossed / (double) paths).isBetween(0.0485, 0.0515);
    }

    @Test
    void aLookSoEarlyThatItMaySpendNothingIsNeverCrossed() {
        Boundary boundary = Boundary.of(List.of(2, 10_000), 0.01);
        assertThat(boundary.critical().getFirst()).isEqualTo(37);
        assertThat(boundary.critical().getLast()).isCloseTo(2.3263, within(1e-3));
    }
}
