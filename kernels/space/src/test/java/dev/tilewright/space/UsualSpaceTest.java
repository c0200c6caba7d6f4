package dev.tilewright.space;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.model.space.ParameterValue;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The default space has usual values and keeps advice, and both yield to what a user names. */
class UsualSpaceTest {

    private static final Constraint NO_ODD_SUM = new Constraint(
            "evenSum",
            List.of("a", "b"),
            config -> (config.whole("a") + config.whole("b")) % 2 == 0
                    ? Optional.empty()
                    : Optional.of("the sum is odd"));

    private static final SearchSpace SPACE = new SearchSpace(
            "toy",
            List.of(Parameter.text("a", 1, 2, 3).usually(1, 2), Parameter.text("b", 1, 2)),
            List.of(),
            List.of(new Advice("b", NO_ODD_SUM)));

    @Test
    void usualValuesAndAdviceAreTheDefault() {
        assertThat(SpaceTree.of(SPACE).size()).isEqualTo(6);
        assertThat(SpaceTree.of(SPACE.usual(Map.of())).size()).isEqualTo(2);
    }

    @Test
    void whatAUserNamesIsNotAdvised() {
        SearchSpace named = SPACE.usual(Map.of("b", List.of(ParameterValue.of(1))));
        assertThat(SpaceTree.of(named).size()).isEqualTo(2);
        SearchSpace unusual = SPACE.usual(Map.of("a", List.of(ParameterValue.of(3))));
        assertThat(SpaceTree.of(unusual).configs())
                .singleElement()
                .satisfies(config -> assertThat(config.whole("b")).isEqualTo(1));
    }

    @Test
    void mistakesNameTheValueAndTheRule() {
        assertThatThrownBy(() -> Parameter.text("a", 1, 2).usually(3))
                .hasMessage("the usual values [] of parameter 'a' must be some of its values [1, 2]");
        assertThatThrownBy(() -> new Advice("c", NO_ODD_SUM))
                .hasMessage("advice 'evenSum' is about 'c' and does not look at it");
        assertThatThrownBy(() -> SPACE.usual(Map.of("b", List.of(ParameterValue.of(9)))))
                .hasMessage("parameter 'b' has no value 9; known: 1, 2");
    }
}
