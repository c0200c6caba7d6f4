package dev.tilewright.api.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.model.space.Config;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.space.SearchSpace;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What every search strategy keeps; a test of a strategy extends this. */
abstract class SearchStrategyContract {

    /** The strategy under test. */
    abstract SearchStrategy strategy();

    private List<Config> ask(SearchSpace space, History history, int count) {
        return Spaces.ask(strategy(), space, history, count);
    }

    /** Asks until the space is used up; every trial ends with an outcome of its own. */
    private List<Config> all(SearchSpace space, long seed, int batch) {
        History history = History.empty(Spaces.PROBLEM, seed);
        while (true) {
            List<Config> asks = ask(space, history, batch);
            if (asks.isEmpty()) {
                return history.asked().stream().map(History.Asked::config).toList();
            }
            history = told(history, asks);
            assertThat(history.asked()).hasSizeLessThanOrEqualTo(1_000);
        }
    }

    /** The history with outcomes of every kind, one after the other; only completed trials have a rate. */
    static History told(History history, List<Config> asks) {
        List<History.Asked> longer = new ArrayList<>(history.asked());
        for (Config config : asks) {
            TrialOutcome outcome = TrialOutcome.values()[longer.size() % TrialOutcome.values().length];
            longer.add(new History.Asked(
                    config, outcome, outcome == TrialOutcome.COMPLETED ? 600.0 + longer.size() : null));
        }
        return history.with(longer);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4, 7, 1000})
    void reachesEveryValidConfigOnceAndThenStops(int batch) {
        SearchSpace space = Spaces.ruled();
        assertThat(all(space, 11, batch))
                .doesNotHaveDuplicates()
                .allSatisfy(config -> assertThat(space.violation(config)).isEmpty())
                .containsExactlyInAnyOrderElementsOf(Spaces.configs(space));
    }

    @Test
    void anEmptySpaceIsUsedUpAtOnce() {
        assertThat(ask(Spaces.empty(), History.empty(Spaces.PROBLEM, 1), 8)).isEmpty();
    }

    @Test
    void theSameSeedAsksTheSame() {
        SearchSpace space = Spaces.large();
        List<Config> first = ask(space, History.empty(Spaces.PROBLEM, 5), 40);
        assertThat(ask(space, History.empty(Spaces.PROBLEM, 5), 40)).isEqualTo(first);
        History history = told(History.empty(Spaces.PROBLEM, 5), first);
        assertThat(ask(space, history, 40)).isEqualTo(ask(space, history, 40)).doesNotContainAnyElementsOf(first);
    }

    @Test
    void howManyAreAskedAtATimeDoesNotChangeTheSequence() {
        for (SearchSpace space : List.of(Spaces.large(), Spaces.ruled(), Spaces.huge())) {
            List<Config> atOnce = ask(space, History.empty(Spaces.PROBLEM, 3), 8);
            List<Config> first = ask(space, History.empty(Spaces.PROBLEM, 3), 4);
            List<Config> both = new ArrayList<>(first);
            both.addAll(ask(space, History.empty(Spaces.PROBLEM, 3).andAsked(first), 4));
            assertThat(both).isEqualTo(atOnce).hasSize(8);
        }
        assertThat(all(Spaces.ruled(), 3, 5)).isEqualTo(all(Spaces.ruled(), 3, 1));
    }

    @Test
    void failuresAndOpenTrialsStopNothing() {
        SearchSpace space = Spaces.large();
        List<Config> first = ask(space, History.empty(Spaces.PROBLEM, 2), 15);
        History failed = told(History.empty(Spaces.PROBLEM, 2), first);
        History open = History.empty(Spaces.PROBLEM, 2).andAsked(first);
        for (History history : List.of(failed, open)) {
            assertThat(ask(space, history, 15)).hasSize(15).doesNotContainAnyElementsOf(first);
        }
    }

    @Test
    void neverAsksWhatTheHistoryHasWhoeverAskedIt() {
        SearchSpace space = Spaces.ruled();
        List<Config> known = Spaces.configs(space).reversed().subList(0, 10);
        List<Config> rest =
                new ArrayList<>(ask(space, History.empty(Spaces.PROBLEM, 9).andAsked(known), 1000));
        assertThat(rest).doesNotContainAnyElementsOf(known);
        rest.addAll(known);
        assertThat(rest).containsExactlyInAnyOrderElementsOf(Spaces.configs(space));
    }

    @Test
    void aLargeSpaceIsNotEnumerated() {
        assertThat(Spaces.huge().points()).isGreaterThan(1_000_000_000_000L);
        assertThat(ask(Spaces.huge(), History.empty(Spaces.PROBLEM, 1), 16))
                .hasSize(16)
                .doesNotHaveDuplicates();
    }

    @Test
    void refusesToAskForNothing() {
        assertThatThrownBy(() -> ask(Spaces.ruled(), History.empty(Spaces.PROBLEM, 1), 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("count must be at least 1, got 0");
    }
}
