package dev.tilewright.api.search;

import dev.tilewright.space.SpaceTree;

/**
 * A question to a strategy.
 *
 * @param space whose configs may be tried
 * @param knowledge of the family and the GPU
 * @param history what was asked in the study so far, with what came of it
 * @param count how many configs are wanted, at least 1
 */
public record SearchQuestion(SpaceTree space, Knowledge knowledge, History history, int count) {

    /** @throws IllegalArgumentException if {@code count} is below 1 */
    public SearchQuestion {
        if (count < 1) {
            throw new IllegalArgumentException("count must be at least 1, got " + count);
        }
    }
}
