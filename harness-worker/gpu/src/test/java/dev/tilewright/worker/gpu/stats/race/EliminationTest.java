package dev.tilewright.worker.gpu.stats.race;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EliminationTest {

    private static final Elimination RULE = new Elimination(0, new SpentError(0.05));

    @Test
    void allLooksTogetherSpendNoMoreThanTheTotal() {
        SpentError error = new SpentError(0.05);
        assertThat(error.at(1)).isEqualTo(0.025);
        assertThat(error.at(2)).isCloseTo(0.05 / 6, within(1e-12));
        double spent = 0;
        for (int look = 1; look <= 100_000; look++) {
            spent += error.at(look);
        }
        assertThat(spent).isLessThanOrEqualTo(0.05).isGreaterThan(0.0499);
        assertThatThrownBy(() -> error.at(0)).hasMessage("looks are counted from 1, got 0");
        assertThatThrownBy(() -> new SpentError(1)).hasMessage("an error lies in 0..1, got 1.0");
    }

    @Test
    void twoArmsAreComparedByStudentsIntervalOfTheirDifferences() {
        Turns turns = Turns.of(List.of(new double[] {100, 104, 99}, new double[] {102, 105, 103}));
        Behind behind = turns.behind(List.of(1), 0, 0.025).getFirst();
        double[] y = {Math.log(1.02), Math.log(105 / 104.0), Math.log(103 / 99.0)};
        double mean = Arrays.stream(y).average().orElseThrow();
        double deviation =
                Math.sqrt(Arrays.stream(y).map(x -> (x - mean) * (x - mean)).sum() / 2);
        assertThat(behind.estimate()).isCloseTo(mean, within(1e-12));
        // Student's quantile of two degrees of freedom is 4.3027.
        assertThat(behind.high() - mean).isCloseTo(4.3027 * deviation / Math.sqrt(3), within(1e-5));
        assertThat(mean - behind.low()).isCloseTo(behind.high() - mean, within(1e-12));
    }

    @Test
    void ofManyArmsTwoTurnsAreEnoughToSeeWhoIsFarBehind() {
        Random random = new Random(7);
        List<double[]> arms = arms(random, 2, 0, 0.002, 0.004, 0.05, 0.002, 0.001, 0.06, 0.003);
        Elimination.Look look = RULE.look(Turns.of(arms), 1, 8, 1);
        assertThat(look.leavers()).extracting(Elimination.Leaver::arm).containsExactly(6, 3);
        assertThat(look.leavers().getFirst().behind().low()).isBetween(0.0, 0.06);
        assertThat(look.staying()).hasSize(6).startsWith(look.leader());
        assertThat(RULE.look(Turns.of(arms), 1, 8, 7).staying())
                .as("so many stay in any case")
                .hasSize(7);
        assertThat(new Elimination(0.07, RULE.error())
                        .look(Turns.of(arms), 1, 8, 1)
                        .leavers())
                .as("they are within the margin")
                .isEmpty();
    }

    @Test
    void whatAllArmsHaveInCommonIsGone() {
        Turns calm = Turns.of(List.of(new double[] {100, 101, 99}, new double[] {103, 103.5, 102}));
        Turns drifting = Turns.of(List.of(new double[] {100, 202, 49.5}, new double[] {103, 207, 51}));
        Behind expected = calm.behind(List.of(1), 0, 0.01).getFirst();
        Behind seen = drifting.behind(List.of(1), 0, 0.01).getFirst();
        assertThat(seen.low()).isCloseTo(expected.low(), within(1e-12));
        assertThat(seen.high()).isCloseTo(expected.high(), within(1e-12));
    }

    @Test
    void saysHowFarItWasBehind() {
        assertThat(new Behind(Math.log(1.081), Math.log(1.054), Math.log(1.109)).against("algorithm 3"))
                .isEqualTo("8.1 % behind algorithm 3, interval [5.4, 10.9] %");
    }

    @Test
    void refusesWhatCannotBeCompared() {
        assertThatThrownBy(() -> Turns.of(List.of(new double[] {1, 2}, new double[] {1, 2, 3})))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("arms are compared over at least 2 turns in which all ran, got [2, 3]");
        assertThatThrownBy(() -> Turns.of(List.of(new double[] {1}))).hasMessageContaining("got [1]");
        assertThatThrownBy(() -> Turns.of(List.of(new double[] {1, 0}))).hasMessage("durations are positive, got 0.0");
        assertThatThrownBy(() -> new Elimination(-1, new SpentError(0.05)))
                .hasMessage("a margin is not negative, got -1.0");
    }

    /**
     * How often the best of several arms leaves at any of the looks after 2 to 8 turns, of 4,000 races of arms that are
     * equal (the worst there is) or nearly, whose noise differs from arm to arm.
     */
    @ParameterizedTest
    @CsvSource({
        // arms, greatest gap, least and greatest deviation of a turn
        "2, 0.000, 0.004, 0.004",
        "4, 0.000, 0.002, 0.010",
        "10, 0.000, 0.005, 0.005",
        "10, 0.000, 0.002, 0.010",
        "10, 0.004, 0.002, 0.010"
    })
    void theBestLeavesNoMoreOftenThanStated(int count, double gap, double calmest, double wildest) {
        Random random = new Random(20_261_124);
        int races = 4000;
        int lost = 0;
        for (int race = 0; race < races; race++) {
            double[][] logs = new double[count][8];
            for (int arm = 0; arm < count; arm++) {
                double deviation = calmest * Math.pow(wildest / calmest, random.nextDouble());
                double behind = arm == 0 ? 0 : gap * random.nextDouble();
                for (int turn = 0; turn < 8; turn++) {
                    logs[arm][turn] = behind + deviation * random.nextGaussian();
                }
            }
            lost += losesTheFirst(logs) ? 1 : 0;
        }
        assertThat(lost / (double) races).isLessThanOrEqualTo(0.05);
    }

    private static boolean losesTheFirst(double[][] logs) {
        List<Integer> in = new ArrayList<>();
        for (int arm = 0; arm < logs.length; arm++) {
            in.add(arm);
        }
        for (int turns = 2; turns <= 8 && in.size() > 1; turns++) {
            int seen = turns;
            List<Integer> now = in;
            Elimination.Look look = RULE.look(
                    Turns.of(now.stream()
                            .map(arm -> Arrays.stream(logs[arm], 0, seen)
                                    .map(Math::exp)
                                    .toArray())
                            .toList()),
                    turns - 1,
                    logs.length,
                    1);
            in = look.staying().stream().map(now::get).toList();
            if (!in.contains(0)) {
                return true;
            }
        }
        return false;
    }

    private static List<double[]> arms(Random random, int turns, double... behind) {
        return Arrays.stream(behind)
                .mapToObj(gap -> {
                    double[] arm = new double[turns];
                    Arrays.setAll(arm, turn -> 1000 * Math.exp(gap + 0.003 * random.nextGaussian()));
                    return arm;
                })
                .toList();
    }
}
