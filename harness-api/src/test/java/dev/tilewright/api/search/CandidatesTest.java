package dev.tilewright.api.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import dev.tilewright.simulator.CostModel;
import dev.tilewright.simulator.SimulatedGpus;
import dev.tilewright.space.SearchSpace;
import dev.tilewright.space.family.DeviceLimits;
import dev.tilewright.space.family.Sm90GemmSpace;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CandidatesTest {

    private static final Problem PROBLEM = Problem.of(new ProblemShape(8192, 4096, 14336), DataType.BF16);
    private static final SearchSpace SPACE = new Sm90GemmSpace().space(PROBLEM, DeviceLimits.of(132));

    private static double logTime(Config config) {
        return StrictMath.log(
                CostModel.of(SimulatedGpus.H200).screened(PROBLEM, config).ns());
    }

    private static Map<Config, Double> bestOfEach(List<String> names, Map<Config, Double> times) {
        Map<Config, Double> best = new HashMap<>();
        times.forEach((config, time) -> best.merge(config.only(names), time, Math::min));
        return best;
    }

    @ParameterizedTest
    @CsvSource({"mode tileM tileN, 1.15, 30, 3600", "mode tileM tileN tileK clusterM clusterN, 1.1, 20, 6000"})
    void ofEveryTileWorthALookThereIsOneThatRandomConfigsDoNotBeat(String tile, double slower, int atLeast, int draws) {
        List<String> names = List.of(tile.split(" "));
        Map<Config, Double> drawn = new HashMap<>();
        new RandomStrategy()
                .ask(SPACE, History.empty(PROBLEM, 8), draws)
                .forEach(config -> drawn.put(config, logTime(config)));
        Map<Config, Double> found = bestOfEach(names, Candidates.of(SPACE, 7, CandidatesTest::logTime));
        double fastest = found.values().stream().mapToDouble(time -> time).min().orElseThrow();
        Map<Config, Double> worthALook = bestOfEach(names, drawn);
        worthALook.values().removeIf(time -> time > fastest + StrictMath.log(slower));
        assertThat(worthALook)
                .hasSizeGreaterThan(atLeast)
                .allSatisfy((one, time) -> assertThat(found)
                        .hasEntrySatisfying(one, best -> assertThat(best).isLessThan(time + 0.05)));
    }

    /** Bands of sixteen tiles are two moves from no bands, and the move between is worse than both. */
    @Test
    void theBestOfANearTileIsFoundAcrossAMoveThatIsWorse() {
        Problem square = Problem.of(new ProblemShape(4096, 4096, 4096), DataType.BF16);
        SearchSpace space = new Sm90GemmSpace().space(square, DeviceLimits.of(132));
        Map<String, List<ParameterValue>> one = new HashMap<>();
        Config.parse(
                        "mode=pingpong tileM=128 tileN=208 clusterM=1 clusterN=1 splitK=1 streamK=none tileLocation=raster")
                .values()
                .forEach((name, value) -> one.put(name, List.of(value)));
        CostModel model = CostModel.of(SimulatedGpus.H200);
        ToDoubleFunction<Config> settled =
                config -> StrictMath.log(model.settled(square, config).ns());
        Config best = Candidates.of(space.restrict(one), 2026, settled)
                .keySet()
                .iterator()
                .next();
        assertThat(best.name("rasterOrder")).isEqualTo("groupedM");
        assertThat(best.whole("rasterGroup")).isEqualTo(16);
        assertThat(best.name("l2Hint")).isEqualTo("keepA");
    }

    @Test
    void withOtherTilesKeepsTheDetailsAndTheRules() {
        Config fast = Config.parse(
                "clusterM=2 clusterN=1 clusterOrder=launch consumers=3 ctasPerSm=1 epilogueN=32 epilogueStages=2 gridSize=0"
                        + " l2Hint=none l2Promotion=128 loadStages=4 loadStart=free mode=cooperative multicast=both rasterGroup=8 rasterOrder=groupedM"
                        + " registers=160 scheduler=single splitK=1 streamK=none swapAB=0 swizzle=128 tileK=64 tileLocation=raster"
                        + " tileM=192 tileN=176 waitDepth=1");
        assertThat(SPACE.violation(fast)).isEmpty();
        List<Config> others = Stream.of(
                        "tileN=192 clusterN=4 loadStages=3", // of a tile that the model gives fewer stages
                        "tileN=192 clusterN=4 loadStages=2", // the same tile
                        "tileN=208", // four stages of it do not fit
                        "mode=pingpong consumers=2 tileM=128") // 3 consumers do not take turns
                .map(change -> {
                    Config other = fast;
                    for (var value : Config.pairs(change).entrySet()) {
                        other = other.with(value.getKey(), value.getValue());
                    }
                    return other;
                })
                .toList();
        Set<Tile> tiles = others.stream().map(Tile::of).collect(Collectors.toSet());
        assertThat(tiles).as("the first two are of one").hasSize(3);
        Config expected = fast.with("tileN", others.getFirst().value("tileN"))
                .with("clusterN", others.getFirst().value("clusterN"));
        assertThat(Candidates.withOtherTiles(SPACE, fast, tiles, CandidatesTest::logTime))
                .containsOnlyKeys(expected)
                .containsEntry(expected, logTime(expected));
    }

    @Test
    void whatWasKeptIsNotSoughtAgainAndWhatWasForgottenIsFoundAlike() {
        SearchSpace small = SPACE.restrict(Map.of(
                "tileN", SPACE.parameters().get(parameter("tileN")).values().subList(0, 4)));
        AtomicInteger predictions = new AtomicInteger();
        ToDoubleFunction<Config> counted = config -> {
            predictions.incrementAndGet();
            return logTime(config);
        };
        CandidateCache cache = new CandidateCache(2);
        Map<Config, Double> first = cache.of(small, History.empty(PROBLEM, 1), counted);
        int asked = predictions.get();
        assertThat(cache.of(small, History.empty(PROBLEM, 1), counted)).isEqualTo(first);
        assertThat(predictions).hasValue(asked);
        cache.of(small, History.empty(PROBLEM, 2), counted);
        cache.of(small, History.empty(PROBLEM, 3), counted);
        asked = predictions.get();
        assertThat(cache.of(small, History.empty(PROBLEM, 1), counted)).isEqualTo(first);
        assertThat(predictions).as("it was forgotten").hasValueGreaterThan(asked);
    }

    private static int parameter(String name) {
        return SPACE.parameters().stream()
                .map(dev.tilewright.space.Parameter::name)
                .toList()
                .indexOf(name);
    }
}
