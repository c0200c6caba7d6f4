package dev.tilewright.api.search;

import dev.tilewright.model.space.Config;
import dev.tilewright.space.SearchSpace;
import java.util.List;

/**
 * Chooses configs to try. A strategy has no state: what it asks depends on its arguments alone, so that any replica of
 * the API can ask, and a stored history replays.
 */
public interface SearchStrategy {

    /** As users name it, such as {@code random}. */
    String name();

    /** Whether what it asks depends on what was measured, so that it should not be asked for much at a time. */
    boolean learns();

    /**
     * The next configs to try: each keeps every rule of the space, none is in the history, none comes twice.
     *
     * @param history what this strategy asked in the study so far, with what came of it
     * @param count how many are wanted, at least 1
     * @return fewer than {@code count} only if the space has no more; empty when it is used up
     * @throws IllegalArgumentException if {@code count} is below 1
     */
    List<Config> ask(SearchSpace space, History history, int count);
}
