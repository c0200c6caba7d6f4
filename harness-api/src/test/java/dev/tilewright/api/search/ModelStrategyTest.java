package dev.tilewright.api.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import dev.tilewright.model.trial.TrialOutcome;
import dev.tilewright.simulator.CostModel;
import dev.tilewright.simulator.SimulatedGpus;
import dev.tilewright.space.SearchSpace;
import dev.tilewright.space.SpaceTree;
import dev.tilewright.space.Tile;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.space.sm90.Sm90GemmSpace;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The contract holds for families without a model, where it asks at random; here are those of Hopper. */
class ModelStrategyTest extends SearchStrategyContract {

    private static final Problem PROBLEM = Problem.of(new ProblemShape(4096, 14336, 4096), DataType.BF16);
    private static final SearchSpace SPACE =
            new Sm90GemmSpace().space(PROBLEM, DeviceLimits.of(132)).usual(Map.of());

    @Override
    SearchStrategy strategy() {
        return new ModelStrategy();
    }

    private List<Config> ask(SearchSpace space, History history, int count) {
        return Spaces.ask(strategy(), space, Spaces.hopper(history.problem()), history, count);
    }

    private static double predictedNs(Config config) {
        return CostModel.of(SimulatedGpus.H200).screened(PROBLEM, config).ns();
    }

    private static History told(History history, List<Config> asks, double slowerWithStatic) {
        List<History.Asked> longer = new ArrayList<>(history.asked());
        for (Config config : asks) {
            double factor = config.name("scheduler").equals("static") ? slowerWithStatic : 1;
            longer.add(new History.Asked(config, TrialOutcome.COMPLETED, PROBLEM.tflops(predictedNs(config) * factor)));
        }
        return history.with(longer);
    }

    @Test
    void beginsWithWhatThousandsOfRandomConfigsDoNotBeat() {
        Config first = ask(SPACE, History.empty(PROBLEM, 7), 1).getFirst();
        double best = Spaces.ask(new RandomStrategy(), SPACE, History.empty(PROBLEM, 8), 2000).stream()
                .mapToDouble(ModelStrategyTest::predictedNs)
                .min()
                .orElseThrow();
        assertThat(predictedNs(first)).isLessThanOrEqualTo(best * 1.005);
    }

    /** A model tells no screen's time: the clock has settled. */
    @Test
    void ofAModelItAsksForWhatIsFastestAtTheClockThatThePowerAllows() {
        Problem large = Problem.of(new ProblemShape(5000, 5000, 5056), DataType.BF16);
        SearchSpace space =
                new Sm90GemmSpace().space(large, DeviceLimits.of(132)).usual(Map.of());
        CostModel model = CostModel.of(SimulatedGpus.H200);
        Config settled = ask(space, new History(large, 7, History.Sought.SETTLED, List.of()), 1)
                .getFirst();
        Config screened = ask(space, History.empty(large, 7), 1).getFirst();
        assertThat(model.settled(large, settled).ns())
                .isLessThan(model.settled(large, screened).ns());
        assertThat(model.screened(large, screened).ns())
                .isLessThan(model.screened(large, settled).ns());
    }

    @Test
    void asksWithoutRepeatsWhatKeepsTheRulesHoweverManyAtATime() {
        List<Config> atOnce = ask(SPACE, History.empty(PROBLEM, 3), 12);
        assertThat(atOnce)
                .hasSize(12)
                .doesNotHaveDuplicates()
                .allSatisfy(config -> assertThat(SPACE.violation(config)).isEmpty());
        List<Config> first = ask(SPACE, History.empty(PROBLEM, 3), 5);
        List<Config> both = new ArrayList<>(first);
        both.addAll(ask(SPACE, History.empty(PROBLEM, 3).andAsked(first), 7));
        assertThat(both).isEqualTo(atOnce);
    }

    @Test
    void asksForMoreThanOneKindOfTile() {
        List<Config> asks = ask(SPACE, History.empty(PROBLEM, 5), 16);
        assertThat(asks.stream()
                        .map(config -> config.only(List.of("tileM", "tileN", "mode")))
                        .distinct())
                .hasSizeGreaterThanOrEqualTo(4);
        assertThat(asks.stream()
                        .limit(7)
                        .map(config -> Tile.of(new Sm90GemmSpace().tile(), config))
                        .distinct())
                .as("of those that the model chose")
                .hasSizeGreaterThanOrEqualTo(4);
    }

    @Test
    void learnsThatAValueIsWorseThanPredicted() {
        History history = History.empty(PROBLEM, 4);
        for (int batch = 0; batch < 4; batch++) {
            history = told(history, ask(SPACE, history, 8), 1.5);
        }
        List<Config> later = ask(SPACE, history, 12);
        assertThat(later.stream().filter(config -> config.name("scheduler").equals("static")))
                .as("only random asks go on with it")
                .hasSizeLessThanOrEqualTo(3);
    }

    @Test
    void reachesEveryConfigOfASmallSpace() {
        SearchSpace small = SPACE.restrict(Map.of(
                "tileM", List.of(ParameterValue.of(128)),
                "tileN", List.of(ParameterValue.of(176)),
                "loadStages", List.of(ParameterValue.of(4)),
                "tileK", List.of(ParameterValue.of(64)),
                "epilogueStages", List.of(ParameterValue.of(2)),
                "l2Hint", List.of(ParameterValue.of("none")),
                "gridSize", List.of(ParameterValue.of(0)),
                "swizzle", List.of(ParameterValue.of(128)),
                "rasterOrder", List.of(ParameterValue.of("alongM"))));
        List<Config> all = Spaces.configs(small);
        assertThat(ask(small, History.empty(PROBLEM, 1), all.size() + 10)).containsExactlyInAnyOrderElementsOf(all);
    }

    @Test
    void aValueThatTheModelDoesNotKnowIsLeftToTheRandomAsks() {
        Config known = SpaceTree.of(SPACE).config(0);
        SearchSpace strange = new SearchSpace(
                SPACE.family(),
                SPACE.parameters().stream()
                        .map(parameter -> parameter.name().equals("rasterOrder")
                                ? dev.tilewright.space.Parameter.launch("rasterOrder", "spiral")
                                : dev.tilewright.space.Parameter.text(
                                        parameter.name(),
                                        known.value(parameter.name()).toString()))
                        .toList(),
                List.of());
        assertThat(ask(strange, History.empty(PROBLEM, 1), 4)).hasSize(1);
    }
}
