package dev.tilewright.api.search;

import dev.tilewright.model.space.Config;
import dev.tilewright.space.SpaceTree;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import org.springframework.stereotype.Component;

/**
 * Every config, in the order of the space. It goes on behind the last config of the history; a history that is not in
 * the order of the space was not asked by this strategy, and then it starts at the front.
 */
@Component
public final class ExhaustiveStrategy implements SearchStrategy {

    @Override
    public String name() {
        return "exhaustive";
    }

    @Override
    public boolean learns() {
        return false;
    }

    @Override
    public SearchAnswer ask(SearchQuestion question) {
        SpaceTree space = question.space();
        Set<Config> known = question.history().configs();
        List<Config> next = space.configsFrom(first(space, question.history()))
                .filter(config -> !known.contains(config))
                .limit(question.count())
                .toList();
        return new SearchAnswer(next, Double.POSITIVE_INFINITY);
    }

    /** The number behind the last config that was asked; 0 if those before it did not come in order. */
    private static long first(SpaceTree space, History history) {
        long next = 0;
        for (History.Asked asked : history.asked()) {
            OptionalLong number = space.number(asked.config());
            if (number.isEmpty() || number.getAsLong() < next) {
                return 0;
            }
            next = number.getAsLong() + 1;
        }
        return next;
    }
}
