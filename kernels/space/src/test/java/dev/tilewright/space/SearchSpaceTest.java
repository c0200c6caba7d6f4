package dev.tilewright.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
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
    void summaryAccountsForEveryPoint() {
        SpaceSummary summary = space(16384).summary();
        assertThat(summary.points()).isEqualTo(36);
        // 256x64 fits, 256x128 does not: one of six tiles, times two schedulers and three groups.
        assertThat(summary.prunedBy())
                .containsExactlyInAnyOrderEntriesOf(Map.of("accumulator", 6L, "groupNeedsLoop", 5L));
        assertThat(summary.size()).isEqualTo(25);
        assertThat(summary.examples().get("accumulator").toString())
                .isEqualTo("accumulator: 32768 elements are more than 16384 (tileM=256 tileN=128)");
    }

    @Property(tries = 60)
    void walkFindsExactlyTheConfigsThatKeepEveryRule(@ForAll @IntRange(min = 0, max = 40_000) int limit) {
        SearchSpace space = space(limit);
        Set<Config> walked = space.configs().collect(Collectors.toSet());
        Set<Config> checked = LongStream.range(0, space.points())
                .mapToObj(space::point)
                .filter(config -> space.violation(config).isEmpty())
                .collect(Collectors.toSet());
        assertThat(walked).isEqualTo(checked);
        assertThat(space.summary().size()).isEqualTo(walked.size());
        assertThat(space.configs()).doesNotHaveDuplicates();
    }

    @Property(tries = 60)
    void theWalkGoesOnAfterAnyPoint(
            @ForAll @IntRange(min = 0, max = 40_000) int limit, @ForAll @IntRange(min = 0, max = 35) int index) {
        SearchSpace space = space(limit);
        List<Config> later = LongStream.range(index + 1, space.points())
                .mapToObj(space::point)
                .filter(config -> space.violation(config).isEmpty())
                .toList();
        assertThat(space.configsAfter(space.point(index))).containsExactlyElementsOf(later);
    }

    @Test
    void theWalkGoesOnOnlyAfterAPointOfTheSpace() {
        SearchSpace space = space(40_000);
        assertThatThrownBy(() -> space.configsAfter(space.point(3).with("tileM", ParameterValue.of(72))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("parameter 'tileM' has no value 72; known: [64, 128, 256]");
    }

    @Test
    void pointsAreAllDifferent() {
        SearchSpace space = space(1);
        Set<Config> points = new HashSet<>();
        LongStream.range(0, space.points()).forEach(index -> points.add(space.point(index)));
        assertThat(points).hasSize(36);
    }

    @Test
    void drawsDependOnTheSeedAlone() {
        SearchSpace space = space(40_000);
        assertThat(space.draw(new Random(7))).isEqualTo(space.draw(new Random(7)));
        assertThat(new SpaceWalk(space).draws(new Random(7), 50))
                .isEqualTo(new SpaceWalk(space).draws(new Random(7), 50).toList());
    }

    @Test
    void drawsAreValidAndEachConfigIsAsLikely() {
        SearchSpace space = space(40_000);
        Set<Config> all = new HashSet<>(space.configs().toList());
        List<Config> drawn = new SpaceWalk(space).draws(new Random(7), 72_000).toList();
        assertThat(new HashSet<>(drawn)).isEqualTo(all);
        for (Config config : all) {
            // 2,000 are expected; the deviation is 45.
            assertThat(drawn.stream().filter(config::equals).count()).isBetween(1_800L, 2_200L);
        }
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
                .isEqualTo("scheduler must be one of single, static, got nothing");
        assertThat(space.violation(config.with("other", ParameterValue.of(1)))).isPresent();
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
        SpaceSummary summary = new SearchSpace("toy", parameters, List.of(rule)).summary();
        assertThat(summary.size()).isEqualTo(2L * 3 * 729);
        assertThat(summary.prunedBy()).containsExactly(Map.entry("differ", 3L * 729));
        // Once more for the example.
        assertThat(asked).hasValue(9 + 1);
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
        assertThatThrownBy(space::summary).hasMessage("config has no parameter 'tileM': tileN=64");
        assertThatThrownBy(() -> space.violation(space.point(0)))
                .hasMessage("config has no parameter 'tileM': tileN=64");
    }
}
