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

    /**
     * How many times as long a launch takes in the long run as in a screen; 1 for a config that is beyond the model.
     */
    public double settling(Config config) {
        double settled = settled(config);
        return Double.isInfinite(settled) ? 1 : StrictMath.exp(settled - screened(config));
    }

    private double logTime(BiFunction<Problem, Config, CostModel.Cost> question, Config config) {
        try {
            return StrictMath.log(question.apply(problem, config).ns());
        } catch (IllegalArgumentException beyondTheModel) {
            return Double.POSITIVE_INFINITY;
        }
    }
}
