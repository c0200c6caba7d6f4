package dev.tilewright.gate.decision;

import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleUnaryOperator;
import org.apache.commons.numbers.rootfinder.BrentSolver;
import org.apache.commons.statistics.distribution.NormalDistribution;

/**
 * Bounds that a standard normal variable must exceed at each look, so that without an effect it does so at any of them
 * with no more than a given probability. The error is spent as by O'Brien and Fleming in the form of Lan and DeMets:
 * hardly any of it at the first looks, so that the last one loses almost nothing for them.
 *
 * @param times share of all blocks that there are at each look, from above 0 to 1
 * @param critical value of each look
 */
record Boundary(List<Double> times, List<Double> critical) {

    private static final NormalDistribution NORMAL = NormalDistribution.of(0, 1);
    /** So far out the probability is 6e-300: what is spent is no less. */
    private static final double MOST = 37;

    private static final double EXACT = 1e-12;

    Boundary {
        times = List.copyOf(times);
        critical = List.copyOf(critical);
    }

    /** The boundary of one side. */
    static Boundary of(List<Integer> looks, double error) {
        List<Double> times =
                looks.stream().map(look -> look / (double) looks.getLast()).toList();
        List<Double> critical = new ArrayList<>();
        Continuation inside = Continuation.START;
        double spent = 0;
        for (double time : times) {
            double root = Math.sqrt(time);
            double now = spent(error, time) - spent;
            Continuation before = inside;
            // As logarithms: the first looks spend so little that an absolute tolerance would not see it.
            DoubleUnaryOperator excess = z -> Math.log(before.above(time, z * root) / now);
            double value = excess.applyAsDouble(MOST) >= 0
                    ? MOST
                    : new BrentSolver(EXACT, EXACT, EXACT).findRoot(excess, 0, MOST);
            critical.add(value);
            inside = inside.below(time, value * root);
            spent += now;
        }
        return new Boundary(times, critical);
    }

    /** How much of the error may have been spent at a time. */
    static double spent(double error, double time) {
        return 2 * NORMAL.survivalProbability(NORMAL.inverseSurvivalProbability(error / 2) / Math.sqrt(time));
    }

    /**
     * Probability without an effect of what was seen or further up. Furthest up is what crossed at the first look, then
     * at the second, and so on; then what did not cross, by its value.
     *
     * @param look at which timing ended, from 0
     * @param value of the standard normal variable there
     */
    double probability(int look, double value) {
        Continuation inside = Continuation.START;
        double further = 0;
        for (int earlier = 0; earlier < look; earlier++) {
            double time = times.get(earlier);
            double high = critical.get(earlier) * Math.sqrt(time);
            further += inside.above(time, high);
            inside = inside.below(time, high);
        }
        double time = times.get(look);
        return Math.min(1, further + inside.above(time, value * Math.sqrt(time)));
    }

    /** The error of a bound that is taken at one look alone. */
    double nominalError(int look) {
        return NORMAL.survivalProbability(critical.get(look));
    }
}
