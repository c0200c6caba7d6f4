package dev.tilewright.worker.gpu.stats.race;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.commons.statistics.distribution.TDistribution;

/**
 * The durations of several arms in the same turns, as logarithms.
 *
 * <p>An arm is known by its index. What all arms of a turn have in common, the clock and heat of the moment, is gone
 * from their differences.
 */
public final class Turns {

    /** With fewer turns there is no spread. */
    public static final int MIN_TURNS = 2;

    /**
     * So many degrees of freedom the spread of all arms together is worth beside an arm's own. In the 39 stored finals
     * of an H200 with three arms or more the variances within one final differ by more than ten turns explain; a scaled
     * inverse chi-squared distribution of 5.3 degrees gives that difference.
     */
    private static final int COMMON = 5;

    private final double[][] logs;

    private Turns(double[][] logs) {
        this.logs = logs;
    }

    /**
     * Takes durations, for each arm one of each turn.
     *
     * @throws IllegalArgumentException if there is no arm, their numbers of turns differ or are below
     *     {@link #MIN_TURNS}, or a duration is not positive
     */
    public static Turns of(List<double[]> durations) {
        int turns = durations.isEmpty() ? 0 : durations.getFirst().length;
        if (turns < MIN_TURNS || durations.stream().anyMatch(arm -> arm.length != turns)) {
            throw new IllegalArgumentException("arms are compared over at least " + MIN_TURNS
                    + " turns in which all ran, got "
                    + durations.stream().map(arm -> arm.length).toList());
        }
        return new Turns(durations.stream().map(Turns::logarithms).toArray(double[][]::new));
    }

    private static double[] logarithms(double[] durations) {
        return Arrays.stream(durations)
                .map(duration -> {
                    if (!(duration > 0)) {
                        throw new IllegalArgumentException("durations are positive, got " + duration);
                    }
                    return Math.log(duration);
                })
                .toArray();
    }

    /** How many turns. */
    public int size() {
        return logs[0].length;
    }

    /** How many arms. */
    public int arms() {
        return logs.length;
    }

    /** All arms, the fastest first by the mean logarithm of their times. */
    List<Integer> ranked() {
        List<Integer> ranked =
                new ArrayList<>(IntStream.range(0, arms()).boxed().toList());
        ranked.sort(Comparator.comparingDouble(arm -> mean(logs[arm])));
        return ranked;
    }

    /** Deviation of a run, as a logarithm, after the mean of each arm and of each turn is taken away. */
    public double spread() {
        return Math.sqrt(residualVariance());
    }

    /** By how much an arm is behind another, as a logarithm of the ratio of their times. */
    public double behind(int arm, int leader) {
        return mean(logs[arm]) - mean(logs[leader]);
    }

    /**
     * By how much each of some arms is behind another.
     *
     * @param error of each bound by itself
     */
    List<Behind> behind(List<Integer> arms, int leader, double error) {
        int own = size() - 1;
        // Of two arms the residuals are the difference's own, and say nothing beside it.
        int common = Math.min(COMMON, (arms() - 2) * own);
        double shared = common == 0 ? 0 : common * 2 * residualVariance();
        double quantile = TDistribution.of(own + common).inverseSurvivalProbability(error);
        return arms.stream()
                .map(arm -> {
                    double variance = (own * variance(differences(arm, leader)) + shared) / (own + common);
                    double half = quantile * Math.sqrt(variance / size());
                    double estimate = behind(arm, leader);
                    return new Behind(estimate, estimate - half, estimate + half);
                })
                .toList();
    }

    private double[] differences(int arm, int leader) {
        return IntStream.range(0, size())
                .mapToDouble(turn -> logs[arm][turn] - logs[leader][turn])
                .toArray();
    }

    /** The variance of the times after the mean of each arm and of each turn is taken away. */
    private double residualVariance() {
        double all = Arrays.stream(logs).mapToDouble(Turns::mean).average().orElseThrow();
        double squares = 0;
        for (int turn = 0; turn < size(); turn++) {
            int at = turn;
            double common =
                    Arrays.stream(logs).mapToDouble(arm -> arm[at]).average().orElseThrow() - all;
            for (double[] arm : logs) {
                double residual = arm[turn] - mean(arm) - common;
                squares += residual * residual;
            }
        }
        return squares / ((arms() - 1) * (size() - 1));
    }

    private static double mean(double[] values) {
        return Arrays.stream(values).average().orElseThrow();
    }

    private static double variance(double[] values) {
        double mean = mean(values);
        return Arrays.stream(values).map(y -> (y - mean) * (y - mean)).sum() / (values.length - 1);
    }
}
