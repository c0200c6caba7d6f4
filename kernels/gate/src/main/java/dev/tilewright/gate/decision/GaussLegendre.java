package dev.tilewright.gate.decision;

/** Nodes and weights at which a smooth function on -1..1 is integrated: the roots of a Legendre polynomial. */
final class GaussLegendre {

    static final int POINTS = 48;

    private static final int NEWTON_STEPS = 12;
    private static final double[] NODES = new double[POINTS];
    private static final double[] WEIGHTS = new double[POINTS];

    static {
        for (int i = 0; i < POINTS; i++) {
            double x = Math.cos(Math.PI * (i + 0.75) / (POINTS + 0.5));
            double slope = 1;
            for (int step = 0; step < NEWTON_STEPS; step++) {
                double before = 1;
                double value = x;
                for (int degree = 2; degree <= POINTS; degree++) {
                    double next = ((2 * degree - 1) * x * value - (degree - 1) * before) / degree;
                    before = value;
                    value = next;
                }
                slope = POINTS * (x * value - before) / (x * x - 1);
                x -= value / slope;
            }
            NODES[i] = x;
            WEIGHTS[i] = 2 / ((1 - x * x) * slope * slope);
        }
    }

    private GaussLegendre() {}

    static double node(int index) {
        return NODES[index];
    }

    static double weight(int index) {
        return WEIGHTS[index];
    }
}
