package dev.tilewright.proof;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.gemm.family.GemmFamilies;
import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import dev.tilewright.space.Constraint;
import dev.tilewright.space.Parameter;
import dev.tilewright.space.SearchSpace;
import dev.tilewright.space.SpaceTree;
import dev.tilewright.space.device.DeviceLimits;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ConfigSampleTest {

    private final SearchSpace space = GemmFamilies.standard()
            .named(Kernels.FAMILY)
            .space()
            .space(Kernels.problem("712x648x392"), DeviceLimits.of(4));

    @Test
    void drawsValidConfigsWithoutRepeatsByTheSeed() {
        List<Config> sample = ConfigSample.of(SpaceTree.of(space), 200, 5);

        assertThat(sample)
                .hasSize(200)
                .doesNotHaveDuplicates()
                .allMatch(config -> space.violation(config).isEmpty());
        assertThat(ConfigSample.of(SpaceTree.of(space), 200, 5)).isEqualTo(sample);
        assertThat(ConfigSample.of(SpaceTree.of(space), 200, 6)).isNotEqualTo(sample);
    }

    /** Of 60 points of sm100-gemm that differ in nothing else, 2 are for {@code single} and {@code static}. */
    @Test
    void schedulersTakeTurns() {
        SearchSpace blackwell = GemmFamilies.standard()
                .named(Kernels.FAMILY_100)
                .space()
                .space(Kernels.problem("712x648x392"), DeviceLimits.of(4));

        assertThat(ConfigSample.of(SpaceTree.of(blackwell), 10, 5))
                .extracting(config -> config.name("scheduler"))
                .containsExactly(
                        "static", "clc", "atomic", "single", "static", "clc", "atomic", "single", "static", "clc");
    }

    @Test
    void aSmallSpaceIsDrawnToItsEnd() {
        SearchSpace small = space.restrict(Map.ofEntries(
                Map.entry("mode", List.of(ParameterValue.of("pingpong"))),
                Map.entry("tileN", List.of(ParameterValue.of(176))),
                Map.entry("tileK", List.of(ParameterValue.of(32))),
                Map.entry("scheduler", List.of(ParameterValue.of("atomic"))),
                Map.entry("rasterOrder", List.of(ParameterValue.of("alongM"))),
                Map.entry("epilogueStages", List.of(ParameterValue.of(2))),
                Map.entry("l2Hint", List.of(ParameterValue.of("none"))),
                Map.entry("l2Promotion", List.of(ParameterValue.of(128))),
                Map.entry("loadStart", List.of(ParameterValue.of("free"))),
                Map.entry("clusterOrder", List.of(ParameterValue.of("launch"))),
                Map.entry("splitK", List.of(ParameterValue.of(1))),
                Map.entry("clusterK", List.of(ParameterValue.of(1))),
                Map.entry("clusterM", List.of(ParameterValue.of(1))),
                Map.entry("loadStages", List.of(ParameterValue.of(6)))));
        List<Config> all = SpaceTree.of(small).configs().toList();

        assertThat(all).hasSizeBetween(5, 50);
        assertThat(ConfigSample.of(SpaceTree.of(small), 1000, 1)).containsExactlyInAnyOrderElementsOf(all);
    }

    /** One valid point among 10,000: hardly ever drawn, and found all the same. */
    @Test
    void whatIsRareIsFound() {
        int[] hundred = IntStream.range(0, 100).toArray();
        SearchSpace rare = new SearchSpace(
                "rare",
                List.of(Parameter.text("a", hundred), Parameter.text("b", hundred)),
                List.of(new Constraint(
                        "theOne",
                        List.of("a", "b"),
                        config -> config.whole("a") == 71 && config.whole("b") == 17
                                ? Optional.empty()
                                : Optional.of("another"))));

        assertThat(ConfigSample.of(SpaceTree.of(rare), 3, 9))
                .extracting(Config::canonical)
                .containsExactly("a=71 b=17");
    }

    @Test
    void anEmptySpaceHasNoSample() {
        SearchSpace empty = space.restrict(Map.of(
                "mode", List.of(ParameterValue.of("pingpong")), "scheduler", List.of(ParameterValue.of("single"))));

        assertThat(ConfigSample.of(SpaceTree.of(empty), 3, 1)).isEmpty();
    }
}
