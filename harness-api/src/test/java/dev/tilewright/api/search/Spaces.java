package dev.tilewright.api.search;

import dev.tilewright.model.problem.DataType;
import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.problem.ProblemShape;
import dev.tilewright.model.space.Config;
import dev.tilewright.simulator.LaunchModels;
import dev.tilewright.simulator.sweep.StoredSweep;
import dev.tilewright.space.Constraint;
import dev.tilewright.space.Parameter;
import dev.tilewright.space.SearchSpace;
import dev.tilewright.space.SpaceTree;
import dev.tilewright.space.device.LaunchModel;
import dev.tilewright.space.sm90.Sm90GemmSpace;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** Search spaces for tests of strategies. */
final class Spaces {

    /** What is tuned, where it does not matter. */
    static final Problem PROBLEM = Problem.of(new ProblemShape(4096, 8192, 2048), DataType.BF16);

    private Spaces() {}

    /** What a strategy answers, where nothing is known of the family. */
    static List<Config> ask(SearchStrategy strategy, SearchSpace space, History history, int count) {
        return ask(strategy, space, Knowledge.NONE, history, count);
    }

    static List<Config> ask(
            SearchStrategy strategy, SearchSpace space, Knowledge knowledge, History history, int count) {
        return strategy.ask(new SearchQuestion(SpaceTree.of(space), knowledge, history, count))
                .configs();
    }

    /** What is known of Hopper kernels of a problem on an H200. */
    static Knowledge hopper(Problem problem) {
        Sm90GemmSpace family = new Sm90GemmSpace();
        return new Knowledge(
                family.tile(),
                family.variants(),
                Optional.of(
                        new Prediction(launched(LaunchModels.ofDevice("h200").orElseThrow()), problem)));
    }

    /** The model of the launches as the stored sweeps had them. */
    private static LaunchModel launched(LaunchModel model) {
        return new LaunchModel() {
            @Override
            public Cost settled(Problem of, Config config) {
                return model.settled(of, StoredSweep.asLaunched(config));
            }

            @Override
            public Cost screened(Problem of, Config config) {
                return model.screened(of, StoredSweep.asLaunched(config));
            }
        };
    }

    /** All configs of a space, in the order of its tree. */
    static List<Config> configs(SearchSpace space) {
        return SpaceTree.of(space).configs().toList();
    }

    /** 36 points; single, with few configs of its own, and rules that take away some of all. */
    static SearchSpace ruled() {
        return new SearchSpace(
                "toy",
                List.of(
                        Parameter.text("tileM", 64, 128, 256),
                        Parameter.text("scheduler", "single", "static", "atomic"),
                        Parameter.text("tileN", 64, 128),
                        Parameter.launch("gridSize", 0, 128)),
                List.of(
                        new Constraint(
                                "tile",
                                List.of("tileM", "tileN"),
                                config -> config.whole("tileM") == 256 && config.whole("tileN") == 128
                                        ? Optional.of("too large")
                                        : Optional.empty()),
                        new Constraint(
                                "gridSize",
                                List.of("scheduler", "gridSize"),
                                config -> config.name("scheduler").equals("single") && config.whole("gridSize") > 0
                                        ? Optional.of("single has no grid size")
                                        : Optional.empty())));
    }

    /** About 200,000 points without a rule. */
    static SearchSpace large() {
        return new SearchSpace(
                "toy",
                List.of(
                        Parameter.text("scheduler", "single", "static", "atomic"),
                        Parameter.text("tileN", steps(32)),
                        Parameter.text("loadStages", steps(64)),
                        Parameter.launch("rasterGroup", steps(32))),
                List.of());
    }

    /** More points than could ever be walked, a quarter of them valid. */
    static SearchSpace huge() {
        return new SearchSpace(
                "toy",
                List.of(
                        Parameter.text("a", steps(10_000)),
                        Parameter.text("b", steps(10_000)),
                        Parameter.text("c", steps(10_000)),
                        Parameter.text("d", steps(10_000)),
                        Parameter.text("scheduler", "single", "static", "atomic")),
                List.of(
                        new Constraint(
                                "evenStep",
                                List.of("a"),
                                config -> config.whole("a") % 16 == 0 ? Optional.empty() : Optional.of("an odd step")),
                        new Constraint(
                                "alsoEvenStep",
                                List.of("d"),
                                config ->
                                        config.whole("d") % 16 == 0 ? Optional.empty() : Optional.of("an odd step"))));
    }

    /** A space of which the rules leave nothing. */
    static SearchSpace empty() {
        return new SearchSpace(
                "toy",
                List.of(Parameter.text("scheduler", "static", "atomic"), Parameter.text("tileM", 64, 128)),
                List.of(new Constraint("never", List.of("tileM"), config -> Optional.of("never"))));
    }

    private static int[] steps(int count) {
        return IntStream.rangeClosed(1, count).map(step -> step * 8).toArray();
    }
}
