package dev.tilewright.space;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.model.space.Config;
import dev.tilewright.model.space.ParameterValue;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SpaceWalkTest {

    private final AtomicInteger asked = new AtomicInteger();

    private final SearchSpace space = new SearchSpace(
            "toy",
            List.of(Toy.upTo("a", 5), Toy.upTo("b", 7), Toy.upTo("c", 3)),
            List.of(new Constraint("odd", List.of("a", "b"), config -> {
                asked.incrementAndGet();
                return (config.whole("a") + config.whole("b")) % 2 == 1 ? Optional.empty() : Optional.of("even");
            })));

    @Test
    void thePartsAreTheSpaceWithOneValueEach() {
        List<SpaceWalk> parts = new SpaceWalk(space).cut("b");
        assertThat(parts).hasSize(7);
        for (int value = 0; value < parts.size(); value++) {
            SpaceWalk part = parts.get(value);
            SearchSpace same = space.restrict(Map.of("b", List.of(ParameterValue.of(value))));
            assertThat(part.points()).isEqualTo(same.points());
            assertThat(part.configs()).containsExactlyElementsOf(same.configs().toList());
            assertThat(part.summary()).isEqualTo(same.summary());
        }
        assertThat(parts.get(3).cut("a").get(2).configs())
                .containsExactlyElementsOf(space.configs()
                        .filter(config -> config.whole("a") == 2 && config.whole("b") == 3)
                        .toList());
        assertThat(new SpaceWalk(space).cut("none").getFirst().configs())
                .containsExactlyElementsOf(space.configs().toList());
    }

    @Test
    void drawsFromAPartStayInIt() {
        SpaceWalk part = new SpaceWalk(space).cut("a").get(4);
        SplittableRandom random = new SplittableRandom(5);
        assertThat(part.draws(random, 1000)).isNotEmpty().allSatisfy(config -> {
            assertThat(config.whole("a")).isEqualTo(4);
            assertThat(space.violation(config)).isEmpty();
        });
        List<Config> all = part.configs().toList();
        for (int draw = 0; draw < 50; draw++) {
            List<Config> after = part.configsAfterDraw(random).toList();
            assertThat(all).endsWith(after.toArray(Config[]::new));
        }
        assertThat(part.allows(all.getFirst().with("a", ParameterValue.of(2))))
                .as("of the whole space")
                .isTrue();
    }

    @Test
    void allPartsTogetherAskARuleOnceForWhatItLooksAt() {
        for (SpaceWalk part : new SpaceWalk(space).cut("c")) {
            part.cut("a").forEach(each -> assertThat(each.configs()).isNotEmpty());
            assertThat(part.draws(new SplittableRandom(1), 500)).isNotEmpty();
        }
        assertThat(asked).hasValue(5 * 7);
    }
}
