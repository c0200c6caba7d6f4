package dev.tilewright.api.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.model.exchange.JobRequest;
import org.junit.jupiter.api.Test;

class StrategiesTest {

    @Test
    void findsByName() {
        assertThat(Strategies.standard().names())
                .as("those that the command line offers")
                .isEqualTo(JobRequest.STRATEGIES);
        assertThat(Strategies.standard().named("random")).isInstanceOf(RandomStrategy.class);
        assertThatThrownBy(() -> Strategies.standard().named("luck"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("unknown search strategy 'luck'; known: exhaustive, model, random");
    }
}
