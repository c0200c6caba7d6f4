package dev.tilewright.api.range;

import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.TrialOutcome;
import java.util.Map;

/**
 * The kernels that one study timed.
 *
 * @param m rows of its problem
 * @param us microseconds of a launch of each config that completed
 * @param wrong the configs whose launch failed or computed something else, with the outcome
 */
record MeasuredRows(int m, Map<Config, Double> us, Map<Config, TrialOutcome> wrong) {

    MeasuredRows {
        us = Map.copyOf(us);
        wrong = Map.copyOf(wrong);
    }

    /** Of a study without a wrong kernel. */
    MeasuredRows(int m, Map<Config, Double> us) {
        this(m, us, Map.of());
    }
}
