package dev.tilewright.api.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tilewright.api.search.GaussianProcess.Prior;
import dev.tilewright.model.space.Config;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class GaussianProcessTest {

    private static final Prior PRIOR = new Prior(0.5, 0.3, 0.2, 0.1);
    private static final List<String> PARAMETERS = List.of("a", "b", "c");

    private static Config config(int a, int b, int c) {
        return Config.parse("a=" + a + " b=" + b + " c=" + c);
    }

    private static int shared(Config one, Config other) {
        return (int) PARAMETERS.stream()
                .filter(name -> one.value(name).equals(other.value(name)))
                .count();
    }

    @Test
    void covarianceCountsTheValuesAndThePairsThatTwoConfigsShare() {
        assertThat(PRIOR.covariance(0)).isEqualTo(0.5);
        assertThat(PRIOR.covariance(1)).isCloseTo(0.8, within(1e-12));
        assertThat(PRIOR.covariance(3)).isCloseTo(0.5 + 0.9 + 0.6, within(1e-12));
    }

    @Test
    void withoutObservationsThePriorIsWhatIsKnown() {
        GaussianProcess.Point point = new GaussianProcess(PRIOR, PARAMETERS).point(config(1, 2, 3));
        assertThat(point.mean()).isZero();
        assertThat(point.deviation()).isCloseTo(Math.sqrt(2), within(1e-12));
    }

    @Test
    void anObservationIsBelievedLessTheNoisierItIsAndSaysLessOfWhatIsLessLikeIt() {
        GaussianProcess process = new GaussianProcess(PRIOR, PARAMETERS);
        process.observe(config(1, 1, 1), 3);
        assertThat(process.point(config(1, 1, 1)).mean()).isCloseTo(3 * 2 / 2.1, within(1e-12));
        assertThat(process.point(config(1, 1, 2)).mean()).isCloseTo(3 * 1.3 / 2.1, within(1e-12));
        assertThat(process.point(config(1, 2, 2)).mean()).isCloseTo(3 * 0.8 / 2.1, within(1e-12));
        assertThat(process.point(config(1, 1, 2)).deviation()).isCloseTo(Math.sqrt(2 - 1.3 * 1.3 / 2.1), within(1e-12));
    }

    /** The textbook: mean k^T (K + noise I)^-1 y, variance k(x, x) - k^T (K + noise I)^-1 k. */
    @Test
    void agreesWithTheSolutionOfTheLinearSystem() {
        Random random = new Random(7);
        List<Config> observed = new ArrayList<>();
        GaussianProcess process = new GaussianProcess(PRIOR, PARAMETERS);
        GaussianProcess.Point early = process.point(config(0, 1, 2));
        int n = 40;
        double[] values = new double[n];
        for (int i = 0; i < n; i++) {
            observed.add(config(random.nextInt(3), random.nextInt(4), random.nextInt(5)));
            values[i] = random.nextGaussian();
            process.observe(observed.get(i), values[i]);
        }
        double[][] matrix = new double[n][n];
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                matrix[i][j] = PRIOR.covariance(shared(observed.get(i), observed.get(j))) + (i == j ? 0.1 : 0);
            }
        }
        for (Config asked : List.of(config(0, 1, 2), config(2, 3, 4), config(9, 9, 9), observed.getFirst())) {
            double[] k = observed.stream()
                    .mapToDouble(other -> PRIOR.covariance(shared(asked, other)))
                    .toArray();
            double[] weights = solved(matrix, k);
            double mean = IntStream.range(0, n)
                    .mapToDouble(i -> weights[i] * values[i])
                    .sum();
            double explained =
                    IntStream.range(0, n).mapToDouble(i -> weights[i] * k[i]).sum();
            assertThat(process.point(asked).mean()).isCloseTo(mean, within(1e-9));
            assertThat(process.point(asked).deviation()).isCloseTo(Math.sqrt(2 - explained), within(1e-9));
        }
        assertThat(early.mean())
                .as("asked for before anything was observed")
                .isEqualTo(process.point(config(0, 1, 2)).mean());
    }

    /** By elimination with pivots. */
    private static double[] solved(double[][] matrix, double[] right) {
        int n = right.length;
        double[][] rows = new double[n][];
        for (int i = 0; i < n; i++) {
            rows[i] = java.util.Arrays.copyOf(matrix[i], n + 1);
            rows[i][n] = right[i];
        }
        for (int column = 0; column < n; column++) {
            int pivot = column;
            for (int i = column; i < n; i++) {
                pivot = Math.abs(rows[i][column]) > Math.abs(rows[pivot][column]) ? i : pivot;
            }
            double[] swapped = rows[pivot];
            rows[pivot] = rows[column];
            rows[column] = swapped;
            for (int i = 0; i < n; i++) {
                double factor = i == column ? 0 : rows[i][column] / rows[column][column];
                for (int j = column; factor != 0 && j <= n; j++) {
                    rows[i][j] -= factor * rows[column][j];
                }
            }
        }
        return IntStream.range(0, n).mapToDouble(i -> rows[i][n] / rows[i][i]).toArray();
    }
}
