package dev.tilewright.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import dev.tilewright.model.space.Violation;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class SearchSpaceTest {

    private static SearchSpace space(int limit) {
        return new SearchSpace(
                "toy",
                List.of(
                        Parameter.text("scheduler", "single", "static"),
                        Parameter.text("tileM", 64, 128, 256),
                        Parameter.text("tileN", 64, 128),
                        Parameter.launch("rasterGroup", 1, 2, 4)),
                List.of(
                        new Constraint("accumulator", List.of("tileM", "tileN"), config -> {
                            int elements = config.whole("tileM") * config.whole("tileN");
                            return elements <= limit
                                    ? Optional.empty()
                                    : Optional.of(elements + " elements are more than " + limit);
                        }),
                        new Constraint(
                                "groupNeedsLoop",
                                List.of("scheduler", "rasterGroup"),
                                config -> config.name("scheduler").equals("single") && config.whole("rasterGroup") == 4
                                        ? Optional.of("a group of 4 is for persistent schedulers")
                                        : Optional.empty())));
    }

    @Test
    void pointsAreAllDifferent() {
        SearchSpace space = space(1);
        Set<Config> points = new HashSet<>();
        LongStream.range(0, space.points()).forEach(index -> points.add(space.point(index)));
        assertThat(points).hasSize(36);
    }

    @Test
    void restrictKeepsOrderAndRefusesWhatItDoesNotKnow() {
        SearchSpace space = space(40_000);
        SearchSpace restricted = space.restrict(Map.of("tileM", List.of(ParameterValue.of(128))));
        assertThat(restricted.points()).isEqualTo(12);
        assertThat(restricted.hash()).isNotEqualTo(space.hash());
        assertThatThrownBy(() -> space.restrict(Map.of("tileQ", List.of(ParameterValue.of(128)))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("family toy has no parameter 'tileQ'; known: scheduler, tileM, tileN, rasterGroup");
        assertThatThrownBy(() -> space.restrict(Map.of("tileM", List.of(ParameterValue.of(96)))))
                .hasMessage("parameter 'tileM' has no value 96; known: 64, 128, 256");
    }

    @Test
    void aConfigWithAMissingOrUnlistedValueBreaksTheSpace() {
        SearchSpace space = space(40_000);
        Config config = space.point(0);
        assertThat(space.violation(config)).isEmpty();
        assertThat(space.violation(config.with("tileM", ParameterValue.of(72)))
                        .orElseThrow()
                        .reason())
                .isEqualTo("tileM must be one of 64, 128, 256, got 72");
        assertThat(space.violation(Config.of(Map.of())).orElseThrow().reason())
                .contains(" parameters; missing: ")
                .contains("scheduler");
        assertThat(space.violation(config.with("other", ParameterValue.of(1)))).isPresent();
    }

    /** A value that is not listed breaks no rule between parameters; what it is too large for is one. */
    @Test
    void aConfigOfOtherRowsMayKeepTheRulesWithValuesThatAreNotListed() {
        SearchSpace space = space(40_000);
        Config config = space.point(0);
        assertThat(space.broken(config.with("tileM", ParameterValue.of(72)))).isEmpty();
        assertThat(space.broken(config.with("tileM", ParameterValue.of(1 << 20))))
                .hasValueSatisfying(
                        violation -> assertThat(violation.constraint()).isNotEqualTo(Violation.VALUES));
    }

    @Test
    void aConstraintOverAnUnknownParameterIsRefused() {
        assertThatThrownBy(() -> new SearchSpace(
                        "toy",
                        List.of(Parameter.text("tileM", 64)),
                        List.of(new Constraint("odd", List.of("tileX"), config -> Optional.empty()))))
                .hasMessage("constraint 'odd' looks at unknown parameter 'tileX'");
    }

    /** Eight independent parameters and one rule over the first and the last: 3^8 nodes, but 3 counts a level. */
    @Test
    void countingAsksARuleOnceForEachCombinationOfWhatItLooksAt() {
        AtomicInteger asked = new AtomicInteger();
        List<Parameter> parameters = IntStream.range(0, 8)
                .mapToObj(index -> Parameter.text("p" + index, 0, 1, 2))
                .toList();
        Constraint rule = new Constraint("differ", List.of("p0", "p7"), config -> {
            asked.incrementAndGet();
            return config.whole("p0") == config.whole("p7") ? Optional.of("equal") : Optional.empty();
        });
        SpaceTree tree = SpaceTree.of(new SearchSpace("toy", parameters, List.of(rule)));
        assertThat(tree.size()).isEqualTo(2L * 3 * 729);
        assertThat(asked).hasValue(9);
    }

    @Test
    void aRuleCannotLookAtAParameterThatItDoesNotName() {
        SearchSpace space = new SearchSpace(
                "toy",
                List.of(Parameter.text("tileM", 64), Parameter.text("tileN", 64)),
                List.of(new Constraint(
                        "sly",
                        List.of("tileN"),
                        config -> config.whole("tileM") > 64 ? Optional.of("large") : Optional.empty())));
        assertThatThrownBy(() -> SpaceTree.of(space)).hasMessage("config has no parameter 'tileM': tileN=64");
        assertThatThrownBy(() -> space.violation(space.point(0)))
                .hasMessage("config has no parameter 'tileM': tileN=64");
    }
}
