package dev.tilewright.api.range;

import dev.tilewright.model.space.Config;
import java.util.Map;

/**
 * The kernels that one study timed.
 *
 * @param m rows of its problem
 * @param us microseconds of a launch of each config that completed
 */
record MeasuredRows(int m, Map<Config, Double> us) {

    MeasuredRows {
        us = Map.copyOf(us);
    }
}
