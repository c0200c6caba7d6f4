package dev.tilewright.api.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.model.space.Config;
import java.util.List;
import org.junit.jupiter.api.Test;

class ExhaustiveStrategyTest extends SearchStrategyContract {

    @Override
    SearchStrategy strategy() {
        return new ExhaustiveStrategy();
    }

    @Test
    void asksInTheOrderOfTheSpace() {
        List<Config> configs = Spaces.ruled().configs().toList();
        assertThat(strategy().ask(Spaces.ruled(), History.empty(Spaces.PROBLEM, 4), 5))
                .isEqualTo(configs.subList(0, 5));
        History history = told(History.empty(Spaces.PROBLEM, 4), configs.subList(0, 5));
        assertThat(strategy().ask(Spaces.ruled(), history, 3)).isEqualTo(configs.subList(5, 8));
    }

    @Test
    void goesOnDeepInASpaceThatCouldNotBeWalkedFromTheFront() {
        Config deep = Spaces.huge().point(9_000_000_000_000_000L);
        assertThat(strategy()
                        .ask(Spaces.huge(), History.empty(Spaces.PROBLEM, 1).andAsked(List.of(deep)), 2))
                .hasSize(2)
                .allSatisfy(config -> assertThat(config.whole("a")).isGreaterThanOrEqualTo(deep.whole("a")));
    }
}
