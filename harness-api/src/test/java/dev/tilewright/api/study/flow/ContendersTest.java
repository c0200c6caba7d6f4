package dev.tilewright.api.study.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.search.Prediction;
import dev.tilewright.api.study.SpaceRestriction;
import dev.tilewright.api.study.SpaceTrees;
import dev.tilewright.api.testing.ScriptedWorker;
import dev.tilewright.api.testing.ToyFamily;
import dev.tilewright.api.trial.ScreenScale;
import dev.tilewright.model.exchange.Budget;
import dev.tilewright.model.exchange.Work;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import dev.tilewright.simulator.LaunchModels;
import dev.tilewright.space.families.Families;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Kernels that race for the final, by the screens of a sweep and by what a model expects of them. */
class ContendersTest {

    private static final List<String> TILE = List.of("tileN", "clusterM");

    private static final List<String> HINT_NAMES = List.of("none", "keepA", "keepB");

    /** One tile in bands along M, with each hint; B passes through while the band of A is wanted again and again. */
    private static final Map<String, List<Object>> HINTS = Map.ofEntries(
            one("scheduler", "static"),
            one("l2Hint", "none", "keepA", "keepB"),
            one("tileN", 152),
            one("clusterM", 1),
            one("mode", "pingpong"),
            one("tileM", 128),
            one("tileK", 64),
            one("consumers", 2),
            one("loadStages", 5),
            one("clusterN", 1),
            one("rasterOrder", "groupedM"),
            one("rasterGroup", 16),
            one("registers", 232),
            one("swizzle", 128),
            one("epilogueN", 32),
            one("epilogueStages", 2),
            one("waitDepth", 1),
            one("gridSize", 0),
            one("l2Promotion", 128),
            one("loadStart", "free"),
            one("clusterOrder", "launch"),
            one("splitK", 1),
            one("ctasPerSm", 1),
            one("multicast", "none"),
            one("tileLocation", "raster"));

    private static Map.Entry<String, List<Object>> one(String name, Object... values) {
        return Map.entry(name, List.of(values));
    }

    private static Map<String, List<Object>> but(Map<String, List<Object>> changed) {
        Map<String, List<Object>> all = new HashMap<>(HINTS);
        all.putAll(changed);
        return all;
    }

    private final SpaceTrees trees = new SpaceTrees();
    private final Contenders contenders = new Contenders(trees);

    private static Snapshots gemm(Map<String, List<Object>> values) {
        Map<String, List<ParameterValue>> restricted = new HashMap<>();
        values.forEach((name, all) -> restricted.put(
                name,
                all.stream()
                        .map(value -> value instanceof Integer whole
                                ? ParameterValue.of(whole)
                                : ParameterValue.of((String) value))
                        .toList()));
        return new Snapshots(
                Families.standard().named("sm90-gemm"),
                new ProblemShape(5000, 6000, 5056),
                new SpaceRestriction(restricted, false),
                "exhaustive",
                new Budget(null, null, 1),
                ScriptedWorker.H200);
    }

    private static Snapshots toy() {
        return new Snapshots(
                new ToyFamily(),
                new ProblemShape(640, 384, 256),
                SpaceRestriction.NONE,
                "exhaustive",
                new Budget(100, null, 3),
                ScriptedWorker.H200);
    }

    private List<Config> configs(Snapshots of) {
        return trees.tree(
                        of.problem(),
                        of.family(),
                        of.restriction(),
                        of.testbed().smCount())
                .configs()
                .toList();
    }

    @Test
    void ofEqualScreensTheOneThatDrawsLeastIsFirst() {
        Snapshots of = gemm(HINTS);
        List<Work.Contender> found = contenders.of(of.swept(configs(of), _ -> 400_000));
        assertThat(found).hasSize(3);
        assertThat(found.getFirst().config().name("l2Hint")).isEqualTo("keepA");
    }

    /** However far one is behind: each has as many places as another, and all of them run beside each other. */
    @Test
    void tileSchedulersThatAreComparedHaveAsManyPlacesInTheFinal() {
        Snapshots of = gemm(but(Map.of("scheduler", List.of("static", "atomic"), "loadStages", List.of(4, 5))))
                .comparing();
        StudySnapshot swept = of.swept(
                configs(of),
                config -> config.name("scheduler").equals("static")
                        ? 400_000
                        : 700_000 + 20_000 * config.whole("loadStages"));
        assertThat(contenders.of(swept))
                .extracting(contender -> contender.config().name("scheduler") + " " + contender.team())
                .containsExactly("static 0", "atomic 1");
        assertThat(contenders.of(swept).getLast().config().whole("loadStages")).isEqualTo(4);
    }

    /** The same in bands of three widths, each with four or five stages. */
    @Test
    void aTeamHasSixMembersAtTheMost() {
        Snapshots of = gemm(but(Map.of("rasterGroup", List.of(4, 8, 16), "loadStages", List.of(4, 5))));
        List<Config> swept = configs(of);
        assertThat(swept).hasSize(18);
        assertThat(contenders.of(of.swept(swept, _ -> 400_000)))
                .hasSize(6)
                .extracting(Work.Contender::team)
                .containsOnly(0);
    }

    /** Kernels of a hint differ in their stages alone: a screen can tell these apart. */
    @Test
    void ofATileEachWayToWalkItIsInBeforeASecondOfAny() {
        Snapshots of = gemm(but(Map.of("loadStages", List.of(3, 4, 5))));
        StudySnapshot swept = of.swept(
                configs(of),
                config -> screened(
                        of.problem(),
                        config,
                        400_000
                                * (1
                                        + HINT_NAMES.indexOf(config.name("l2Hint")) / 100.0
                                        + (5 - config.whole("loadStages")) / 1000.0)));
        assertThat(contenders.of(swept))
                .extracting(contender -> contender.config().name("l2Hint") + " "
                        + contender.config().whole("loadStages"))
                .containsExactly("none 5", "keepA 5", "keepB 5", "none 4", "keepA 4", "keepB 4");
    }

    /** All of twelve tiles are within 2 % of the best, and each hint of a tile comes before the next tile. */
    @Test
    void theFastestTilesEachHaveATeamClustersToldApart() {
        Snapshots of = gemm(but(Map.of("tileN", List.of(136, 144, 152, 160, 168, 176), "clusterM", List.of(1, 2))));
        Map<Config, List<Config>> seen = new LinkedHashMap<>();
        configs(of)
                .forEach(config -> seen.computeIfAbsent(config.only(TILE), _ -> new ArrayList<>())
                        .add(config));
        assertThat(seen).hasSize(12);
        List<Config> tiles = List.copyOf(seen.keySet());
        StudySnapshot swept = of.swept(
                configs(of),
                config -> screened(
                        of.problem(),
                        config,
                        400_000
                                * (1
                                        + tiles.indexOf(config.only(TILE)) / 600.0
                                        + seen.get(config.only(TILE)).indexOf(config) / 3000.0)));
        Map<Integer, List<Config>> teams = contenders.of(swept).stream()
                .collect(Collectors.groupingBy(
                        Work.Contender::team, Collectors.mapping(Work.Contender::config, Collectors.toList())));
        assertThat(teams).as("six of the twelve tiles").hasSize(6);
        for (int place = 0; place < 6; place++) {
            assertThat(teams.get(place)).as("the fastest first").isEqualTo(seen.get(tiles.get(place)));
        }
    }

    /** Of four kernels of the tile all are slower than the sixteen others, by so much. */
    @ParameterizedTest
    @CsvSource({"1.14, 4", "1.05, 0"})
    void everyTileNearTheBestHasATeamWhateverItsScreensSay(double ratio, int racing) {
        Snapshots of = toy();
        List<Config> swept = configs(of);
        List<ScreenScale.ScreenTime> screens = swept.stream()
                .mapToDouble(config -> config.whole("tileM") == 256 ? ratio : 1.2)
                .mapToObj(seen -> new ScreenScale.ScreenTime(1200 / seen, 1500.0, seen))
                .toList();
        List<Work.Contender> found = contenders.of(of.swept(screens, swept));
        assertThat(found).hasSize(16 + racing);
        assertThat(found.stream().filter(contender -> contender.config().whole("tileM") == 256))
                .hasSize(racing);
    }

    /**
     * The clock falls from trial to trial, so that times grow; in one of the two looks the last configs are the best.
     */
    @ParameterizedTest
    @CsvSource({"1e-4, 0", "0, 1e-4"})
    void screensAreComparedByTheirRatioToTheAnchorAndByTheirCycles(double faster, double fewerCycles) {
        Snapshots of = toy();
        List<Config> swept = configs(of);
        List<ScreenScale.ScreenTime> screens = Stream.iterate(1, number -> number + 1)
                .limit(swept.size())
                .map(number -> new ScreenScale.ScreenTime(
                        1000 + number, 1.5e6 / (1000 + number) * (1 - number * fewerCycles), 1.1 + number * faster))
                .toList();
        List<Work.Contender> found = contenders.of(of.swept(screens, swept));
        assertThat(found).extracting(Work.Contender::config).startsWith(swept.getLast());
        assertThat(found).extracting(Work.Contender::config).containsExactlyInAnyOrderElementsOf(swept);
        assertThat(found)
                .as("team by team, that of the fastest first")
                .extracting(Work.Contender::team)
                .isSorted();
    }

    /** What a screen has to take for this to be expected of it in the long run: the expectation is a power of it. */
    private static double screened(Problem problem, Config config, double expected) {
        Prediction prediction = new Prediction(LaunchModels.ofDevice("h200").orElseThrow(), problem);
        double ofOne = prediction.settling(config, 1);
        double ofTen = 10 * prediction.settling(config, 10);
        return Math.pow(expected / ofOne, 1 / Math.log10(ofTen / ofOne));
    }
}
