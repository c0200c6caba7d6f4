package dev.tilewright.gate.decision;

import org.apache.commons.statistics.distribution.NormalDistribution;

/**
 * Where a Brownian path without drift may be, if it has stayed between two bounds at each look so far: the recursion of
 * Armitage, McPherson and Rowe, by Gauss-Legendre quadrature. Time runs from 0 to 1; at time t the path divided by
 * sqrt(t) is a standard normal variable.
 */
final class Continuation {

    /** It starts at zero. */
    static final Continuation START = new Continuation(0, new double[] {0}, new double[] {1});

    private static final NormalDistribution NORMAL = NormalDistribution.of(0, 1);
    /** Beyond so many deviations there is less than 3e-12. */
    private static final double FAR = 7;

    private final double time;
    private final double[] points;
    private final double[] masses;

    private Continuation(double time, double[] points, double[] masses) {
        this.time = time;
        this.points = points;
        this.masses = masses;
    }

    /** Probability to have stayed inside and to be above a point at a later time. */
    double above(double later, double point) {
        double sum = 0;
        double deviation = Math.sqrt(later - time);
        for (int i = 0; i < points.length; i++) {
            sum += masses[i] * NORMAL.survivalProbability((point - points[i]) / deviation);
        }
        return sum;
    }

    /** Paths that are also below a point at a later time. */
    Continuation below(double later, double high) {
        double from = -FAR * Math.sqrt(later);
        double to = Math.min(high, FAR * Math.sqrt(later));
        if (from >= to) {
            return new Continuation(later, new double[0], new double[0]);
        }
        double[] next = new double[GaussLegendre.POINTS];
        double[] weights = new double[next.length];
        double deviation = Math.sqrt(later - time);
        for (int j = 0; j < next.length; j++) {
            next[j] = (from + to) / 2 + (to - from) / 2 * GaussLegendre.node(j);
            double density = 0;
            for (int i = 0; i < points.length; i++) {
                double distance = (next[j] - points[i]) / deviation;
                density += masses[i] * Math.exp(-distance * distance / 2);
            }
            weights[j] = density / (deviation * Math.sqrt(2 * Math.PI)) * (to - from) / 2 * GaussLegendre.weight(j);
        }
        return new Continuation(later, next, weights);
    }
}
