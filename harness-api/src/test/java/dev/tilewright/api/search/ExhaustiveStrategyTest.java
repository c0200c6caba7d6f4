package dev.tilewright.api.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.model.space.Config;
import dev.tilewright.space.SpaceTree;
import java.util.List;
import org.junit.jupiter.api.Test;

class ExhaustiveStrategyTest extends SearchStrategyContract {

    @Override
    SearchStrategy strategy() {
        return new ExhaustiveStrategy();
    }

    @Test
    void asksInTheOrderOfTheSpace() {
        List<Config> configs = Spaces.configs(Spaces.ruled());
        assertThat(Spaces.ask(strategy(), Spaces.ruled(), History.empty(Spaces.PROBLEM, 4), 5))
                .isEqualTo(configs.subList(0, 5));
        History history = told(History.empty(Spaces.PROBLEM, 4), configs.subList(0, 5));
        assertThat(Spaces.ask(strategy(), Spaces.ruled(), history, 3)).isEqualTo(configs.subList(5, 8));
    }

    @Test
    void goesOnDeepInASpaceThatCouldNotBeWalkedFromTheFront() {
        SpaceTree huge = SpaceTree.of(Spaces.huge());
        long deep = huge.size() / 3;
        History history = History.empty(Spaces.PROBLEM, 1).andAsked(List.of(huge.config(deep)));
        assertThat(strategy()
                        .ask(new SearchQuestion(huge, Knowledge.NONE, history, 2))
                        .configs())
                .containsExactly(huge.config(deep + 1), huge.config(deep + 2));
    }
}
