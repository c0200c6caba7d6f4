package dev.tilewright.api.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.model.space.Config;
import dev.tilewright.space.Constraint;
import dev.tilewright.space.Parameter;
import dev.tilewright.space.SearchSpace;
import dev.tilewright.testing.Draws;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RandomStrategyTest extends SearchStrategyContract {

    @Override
    SearchStrategy strategy() {
        return new RandomStrategy();
    }

    @Draws(50)
    void everySchedulerHasItsShare(long seed) {
        List<Config> asks = Spaces.ask(new RandomStrategy(), Spaces.large(), History.empty(Spaces.PROBLEM, seed), 30);
        Map<String, Long> shares =
                asks.stream().collect(Collectors.groupingBy(config -> config.name("scheduler"), Collectors.counting()));
        assertThat(shares).isEqualTo(Map.of("single", 10L, "static", 10L, "atomic", 10L));
    }

    @Test
    void aSchedulerThatIsUsedUpPassesItsTurnOn() {
        // single has 5 configs, the others 10 each.
        List<Config> asks = Spaces.ask(strategy(), Spaces.ruled(), History.empty(Spaces.PROBLEM, 6), 18);
        assertThat(asks.stream().filter(config -> config.name("scheduler").equals("single")))
                .hasSize(5);
        assertThat(Spaces.ask(strategy(), Spaces.ruled(), History.empty(Spaces.PROBLEM, 6), 100))
                .hasSize(25);
    }

    @Test
    void anotherSeedAsksOtherwise() {
        assertThat(Spaces.ask(strategy(), Spaces.large(), History.empty(Spaces.PROBLEM, 1), 20))
                .doesNotContainAnyElementsOf(
                        Spaces.ask(strategy(), Spaces.large(), History.empty(Spaces.PROBLEM, 2), 20));
    }

    @Test
    void consecutiveAsksHaveNothingInCommon() {
        // With one stream behind the other, what one ask accepts after a rejection would be the first draw of the next.
        List<Config> asks = Spaces.ask(strategy(), Spaces.huge(), History.empty(Spaces.PROBLEM, 1), 300);
        List<String> values = asks.stream()
                .map(config -> config.canonical().replaceAll("scheduler=\\w+", ""))
                .toList();
        assertThat(values).doesNotHaveDuplicates();
    }

    @Test
    void everyValidConfigIsAsLikelyAsAnyOther() {
        Map<Config, Integer> firsts = new HashMap<>();
        for (int seed = 0; seed < 3000; seed++) {
            firsts.merge(
                    Spaces.ask(strategy(), Spaces.ruled(), History.empty(Spaces.PROBLEM, seed), 2)
                            .get(1),
                    1,
                    Integer::sum);
        }
        // The second ask is of static: 10 configs, 300 times each if uniform; five standard deviations are 82.
        assertThat(firsts).hasSize(10);
        assertThat(firsts.values()).allSatisfy(count -> assertThat(count).isBetween(218, 382));
    }

    @Test
    void raritiesAreFound() {
        // One point of 10^9 is valid.
        int[] values = IntStream.range(0, 1000).toArray();
        List<String> names = List.of("a", "b", "c");
        SearchSpace rare = new SearchSpace(
                "toy",
                names.stream().map(name -> Parameter.text(name, values)).toList(),
                names.stream()
                        .map(name -> new Constraint(
                                name + "Is7",
                                List.of(name),
                                config -> config.whole(name) == 7 ? Optional.empty() : Optional.of("not 7")))
                        .toList());
        List<Config> asks = Spaces.ask(strategy(), rare, History.empty(Spaces.PROBLEM, 1), 3);
        assertThat(asks)
                .singleElement()
                .satisfies(config ->
                        assertThat(Set.copyOf(config.values().values())).hasSize(1));
        assertThat(Spaces.ask(strategy(), rare, History.empty(Spaces.PROBLEM, 1).andAsked(asks), 3))
                .isEmpty();
    }
}
