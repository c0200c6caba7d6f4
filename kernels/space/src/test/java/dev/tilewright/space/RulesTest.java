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

class RulesTest {

    private static final int MANY = 200;

    private final AtomicInteger asked = new AtomicInteger();

    private Constraint increasing(String less, String more) {
        return new Constraint(less + more, List.of(less, more), config -> {
            asked.incrementAndGet();
            return config.whole(less) < config.whole(more) ? Optional.empty() : Optional.of("no more");
        });
    }

    @Test
    void theyAllowWhatTheSpaceHas() {
        SearchSpace space = new SearchSpace(
                "toy",
                List.of(Toy.upTo("a", 4), Toy.upTo("b", 5), Toy.upTo("c", 3)),
                List.of(increasing("a", "b"), increasing("c", "b")));
        Rules rules = new Rules(space);
        for (long point = 0; point < space.points(); point++) {
            Config config = space.point(point);
            assertThat(rules.allow(config))
                    .as(config.canonical())
                    .isEqualTo(space.violation(config).isEmpty());
        }
        Config allowed = space.configs().findFirst().orElseThrow();
        assertThat(rules.allow(allowed.with("a", ParameterValue.of(9)))).isFalse();
        assertThat(rules.allow(allowed.with("d", ParameterValue.of(0)))).isFalse();
        assertThat(rules.allow(allowed.only(List.of("a", "b")))).isFalse();
        assertThat(rules.allow(Config.of(Map.of("a", ParameterValue.of(0), "b", ParameterValue.of(1)))
                        .with("d", ParameterValue.of(0))))
                .isFalse();
    }

    @Test
    void aRuleIsAskedOnceForWhatItLooksAt() {
        SearchSpace space = new SearchSpace(
                "toy", List.of(Toy.upTo("a", 3), Toy.upTo("b", 4), Toy.upTo("c", 7)), List.of(increasing("a", "b")));
        Rules rules = new Rules(space);
        for (long point = 0; point < space.points(); point++) {
            rules.allow(space.point(point));
        }
        assertThat(asked).hasValue(3 * 4);
    }

    /** Of 8,000,000 combinations no answer is remembered, and each is right all the same. */
    @Test
    void aRuleOverVeryManyCombinations() {
        Constraint sorted = new Constraint(
                "sorted",
                List.of("a", "b", "c"),
                config -> config.whole("a") <= config.whole("b") && config.whole("b") <= config.whole("c")
                        ? Optional.empty()
                        : Optional.of("not sorted"));
        SearchSpace space = new SearchSpace(
                "toy", List.of(Toy.upTo("a", MANY), Toy.upTo("b", MANY), Toy.upTo("c", MANY)), List.of(sorted));
        Rules rules = new Rules(space);
        SplittableRandom random = new SplittableRandom(3);
        for (int i = 0; i < 2000; i++) {
            Config config = space.draw(random);
            assertThat(rules.allow(config))
                    .isEqualTo(config.whole("a") <= config.whole("b") && config.whole("b") <= config.whole("c"));
        }
    }
}
