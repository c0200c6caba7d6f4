package dev.tilewright.api.search;

import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.space.Config;
import dev.tilewright.space.device.LaunchModel;
import java.util.function.DoubleSupplier;

/** Logarithms of the cost model's times for a problem; infinite for a config that it does not cover. */
public final class Prediction {

    /** The part of a screen's error that says nothing of the long run; by the races of the stored studies. */
    private static final double CHANCE = 0.25;

    /**
     * How much of what is expected of the clock in the long run comes true, as a power, by the same: the model knows
     * the energy of a kernel less well than its cycles.
     */
    private static final double CLOCK = 0.4;

    private final LaunchModel model;
    private final Problem problem;

    /** @param model of the GPU that the problem is tuned for */
    public Prediction(LaunchModel model, Problem problem) {
        this.model = model;
        this.problem = problem;
    }

    /** Nanoseconds as a screen sees them, while the clock still falls. */
    double screened(Config config) {
        return logarithm(() -> model.screened(problem, config).ns());
    }

    /** Nanoseconds at the clock that the power allows. */
    double settled(Config config) {
        return logarithm(() -> model.settled(problem, config).ns());
    }

    /** Cycles, at whatever clock. */
    double cycles(Config config) {
        return logarithm(() -> cycles(model.settled(problem, config)));
    }

    /** Time in the long run, at the clock that the power allows, in a unit that all configs have in common. */
    double steady(Config config) {
        return logarithm(() -> steady(model.settled(problem, config)));
    }

    private static double cycles(LaunchModel.Cost cost) {
        return cost.ns() * cost.clockMhz() / 1e3;
    }

    private static double steady(LaunchModel.Cost cost) {
        return cycles(cost) / StrictMath.pow(cost.clockMhz(), CLOCK);
    }

    /** Whether the model has something to say of the config. */
    public boolean knows(Config config) {
        return Double.isFinite(cycles(config));
    }

    /**
     * How many times as long as in its screen a launch is expected to take in the long run, but for a factor that all
     * configs of the problem have in common.
     *
     * @param config one that the model knows
     * @param time that its screen took, as if at one clock, in any unit that all screens of the problem have in common
     */
    public double settling(Config config, double time) {
        LaunchModel.Cost cost = model.settled(problem, config);
        double cycles = StrictMath.log(cycles(cost));
        return StrictMath.exp(StrictMath.log(steady(cost)) - cycles - CHANCE * (StrictMath.log(time) - cycles));
    }

    private static double logarithm(DoubleSupplier predicted) {
        try {
            return StrictMath.log(predicted.getAsDouble());
        } catch (IllegalArgumentException beyondTheModel) {
            return Double.POSITIVE_INFINITY;
        }
    }
}
