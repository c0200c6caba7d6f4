package dev.tilewright.api.search;

import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A quantity of configs after some of them were observed: a Gaussian process whose prior is a sum over parameters and
 * over pairs of them, so that two configs say the more of each other the more values they share. If they share c
 * values, the covariance of what is expected of them is {@code common + value*c + pair*c*(c-1)/2}: an effect of every
 * value of every parameter, one of every pair of values, and what all configs have in common, none of them known before
 * (Rasmussen and Williams, Gaussian Processes for Machine Learning, algorithm 2.1).
 */
final class GaussianProcess {

    /**
     * Variances of the prior.
     *
     * @param common of what all configs share
     * @param value of the effect of a value
     * @param pair of the effect of a pair of values
     * @param noise of an observation, for reasons that no value has
     */
    record Prior(double common, double value, double pair, double noise) {

        double covariance(int shared) {
            return common + value * shared + pair * shared * (shared - 1) / 2;
        }
    }

    private final Prior prior;
    private final List<String> parameters;
    /** A number for each value of each parameter that was seen: numbers compare faster than values. */
    private final List<Map<ParameterValue, Integer>> numbers;

    private final List<int[]> observed = new ArrayList<>();
    /** Lower triangle of the Cholesky factor of the covariance of the observations, row by row. */
    private final List<double[]> factor = new ArrayList<>();
    /** The observations, forward substituted by the factor. */
    private final List<Double> whitened = new ArrayList<>();

    /** @param parameters that the configs differ in */
    GaussianProcess(Prior prior, List<String> parameters) {
        this.prior = prior;
        this.parameters = List.copyOf(parameters);
        this.numbers = Stream.generate(() -> (Map<ParameterValue, Integer>) new HashMap<ParameterValue, Integer>())
                .limit(parameters.size())
                .toList();
    }

    /** Something that may be asked about, with what the observations so far say of it. */
    final class Point {
        private final int[] values;
        /** Its covariance with each observation, forward substituted by the factor. */
        private double[] row = new double[16];

        private int known;
        private double mean;
        private double explained;

        private Point(int[] values) {
            this.values = values;
        }

        /** Brings in what was observed since it was last asked. */
        private void follow() {
            if (row.length < observed.size()) {
                row = Arrays.copyOf(row, 2 * observed.size());
            }
            for (; known < observed.size(); known++) {
                double[] pivot = factor.get(known);
                double rest = prior.covariance(shared(values, observed.get(known)));
                for (int j = 0; j < known; j++) {
                    rest -= row[j] * pivot[j];
                }
                row[known] = rest / pivot[known];
                mean += row[known] * whitened.get(known);
                explained += row[known] * row[known];
            }
        }

        /** The expectation. */
        double mean() {
            follow();
            return mean;
        }

        /** How far off the expectation may be, as a standard deviation; noise of an observation is not in it. */
        double deviation() {
            follow();
            return Math.sqrt(Math.max(0, prior.covariance(values.length) - explained));
        }
    }

    Point point(Config config) {
        return new Point(values(config));
    }

    /** Learns that a config had this value, give or take the noise. */
    void observe(Config config, double value) {
        observe(point(config), value);
    }

    void observe(Point point, double value) {
        point.follow();
        double[] row = Arrays.copyOf(point.row, observed.size() + 1);
        double variance = prior.covariance(point.values.length) + prior.noise() - point.explained;
        row[observed.size()] = Math.sqrt(Math.max(variance, 1e-12));
        whitened.add((value - point.mean) / row[observed.size()]);
        factor.add(row);
        observed.add(point.values);
    }

    private int[] values(Config config) {
        int[] values = new int[parameters.size()];
        for (int i = 0; i < values.length; i++) {
            Map<ParameterValue, Integer> known = numbers.get(i);
            values[i] = known.computeIfAbsent(config.value(parameters.get(i)), value -> known.size());
        }
        return values;
    }

    private static int shared(int[] one, int[] other) {
        int shared = 0;
        for (int i = 0; i < one.length; i++) {
            if (one[i] == other[i]) {
                shared++;
            }
        }
        return shared;
    }
}
