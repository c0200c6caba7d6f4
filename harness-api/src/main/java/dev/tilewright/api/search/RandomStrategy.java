package dev.tilewright.api.search;

import dev.tilewright.model.space.Config;
import dev.tilewright.space.BalancedDraws;
import dev.tilewright.space.SpaceTree;
import java.util.List;
import org.springframework.stereotype.Component;

/** Configs drawn at random, without repeats, the tile schedulers in turn ({@link BalancedDraws}). */
@Component
public final class RandomStrategy implements SearchStrategy {

    @Override
    public String name() {
        return "random";
    }

    @Override
    public boolean learns() {
        return false;
    }

    @Override
    public SearchAnswer ask(SearchQuestion question) {
        return new SearchAnswer(asks(question.space(), question.history(), question.count()), Double.POSITIVE_INFINITY);
    }

    static List<Config> asks(SpaceTree space, History history, int count) {
        return BalancedDraws.of(space, history.configs(), history.asked().size(), count, history.seed());
    }
}
