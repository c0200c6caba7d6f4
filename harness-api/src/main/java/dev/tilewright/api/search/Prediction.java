package dev.tilewright.api.search;

import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.space.Config;
import dev.tilewright.simulator.CostModel;
import dev.tilewright.simulator.SimulatedGpus;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * What the cost model says of the launches of a problem, as logarithms of nanoseconds; infinite for a config that is
 * beyond it.
 */
public final class Prediction {

    private static final String HOPPER = "sm90-gemm";

    /** The part of a screen's error that says nothing of the long run. */
    private static final double CHANCE = 0.25;

    private final CostModel model = CostModel.of(SimulatedGpus.H200);
    private final Problem problem;

    private Prediction(Problem problem) {
        this.problem = problem;
    }

    /** None for a family that no cost model knows. */
    public static Optional<Prediction> of(String family, Problem problem) {
        return family.equals(HOPPER) ? Optional.of(new Prediction(problem)) : Optional.empty();
    }

    /** As a screen sees it. */
    double screened(Config config) {
        return logTime(model::screened, config);
    }

    /** At the clock that the power allows in the long run. */
    double settled(Config config) {
        return logTime(model::settled, config);
    }

    /** Whether the model has something to say of the config. */
    public boolean knows(Config config) {
        return Double.isFinite(screened(config));
    }

    /**
     * How many times as long as in its screen a launch is expected to take in the long run, but for a factor that all
     * configs of the problem have in common.
     *
     * @param time that its screen took, in any unit that all screens of the problem have in common
     */
    public double settling(Config config, double time) {
        double screened = screened(config);
        return StrictMath.exp(settled(config) - screened - CHANCE * (StrictMath.log(time) - screened));
    }

    private double logTime(BiFunction<Problem, Config, CostModel.Cost> question, Config config) {
        try {
            return StrictMath.log(question.apply(problem, config).ns());
        } catch (IllegalArgumentException beyondTheModel) {
            return Double.POSITIVE_INFINITY;
        }
    }
}
