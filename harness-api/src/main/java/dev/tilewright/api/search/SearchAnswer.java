package dev.tilewright.api.search;

import dev.tilewright.model.space.Config;
import java.util.List;

/**
 * The answer of a strategy.
 *
 * @param configs to try next: each is of the space, none is in the history, none comes twice; fewer than were wanted
 *     only if the space has no more
 * @param gain by which part the best of all that is not tried yet is expected to be faster than the best so far, such
 *     as 0.01; infinite where the strategy expects nothing in particular
 */
public record SearchAnswer(List<Config> configs, double gain) {

    public SearchAnswer {
        configs = List.copyOf(configs);
    }
}
