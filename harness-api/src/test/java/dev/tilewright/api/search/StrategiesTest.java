package dev.tilewright.api.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class StrategiesTest {

    @Test
    void findsByName() {
        assertThat(Strategies.standard().names()).containsExactly("exhaustive", "model", "random");
        assertThat(Strategies.standard().named("random")).isInstanceOf(RandomStrategy.class);
        assertThatThrownBy(() -> Strategies.standard().named("luck"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("unknown search strategy 'luck'; known: exhaustive, model, random");
    }
}
