package dev.tilewright.api.testing;

import dev.tilewright.model.problem.Problem;
import dev.tilewright.model.space.Config;
import dev.tilewright.space.Constraint;
import dev.tilewright.space.Parameter;
import dev.tilewright.space.SearchSpace;
import dev.tilewright.space.SpaceTree;
import dev.tilewright.space.device.DeviceLimits;
import dev.tilewright.space.family.Blocking;
import dev.tilewright.space.family.FamilySpace;
import java.util.List;
import java.util.Optional;

/** A small family: 24 points, of which 4 break a rule. */
public class ToyFamily implements FamilySpace {

    public static final String NAME = "toy";

    @Override
    public String family() {
        return NAME;
    }

    @Override
    public Optional<String> refusal(Problem problem) {
        return problem.shape().k() % 8 == 0
                ? Optional.empty()
                : Optional.of(
                        "k must be a multiple of 8, got " + problem.shape().k());
    }

    @Override
    public Optional<Config> anchor(SpaceTree space) {
        return space.configs().findFirst();
    }

    @Override
    public List<String> tile() {
        return List.of("tileM", "tileN");
    }

    @Override
    public Blocking blocking(Config config) {
        return new Blocking(config.whole("tileM"), config.whole("tileN"), 64, 1, 1);
    }

    @Override
    public SearchSpace space(Problem problem, DeviceLimits limits) {
        return new SearchSpace(
                NAME,
                List.of(
                        Parameter.text("scheduler", "single", "static"),
                        Parameter.text("tileM", 64, 128, 256),
                        Parameter.text("tileN", 64, 128),
                        Parameter.launch("rasterGroup", 1, 2)),
                List.of(new Constraint(
                        "accumulator",
                        List.of("tileM", "tileN"),
                        config -> config.whole("tileM") * config.whole("tileN") <= 16384
                                ? Optional.empty()
                                : Optional.of(config.whole("tileM") * config.whole("tileN")
                                        + " elements are more than 16384"))));
    }
}
