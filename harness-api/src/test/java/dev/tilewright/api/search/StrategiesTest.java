package dev.tilewright.api.search;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.model.exchange.JobRequest;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

class StrategiesTest {

    /** As a service finds them: all of the package that are annotated. */
    private static Strategies found() {
        try (var context = new AnnotationConfigApplicationContext("dev.tilewright.api.search")) {
            return new Strategies(
                    List.copyOf(context.getBeansOfType(SearchStrategy.class).values()));
        }
    }

    @Test
    void findsByName() {
        assertThat(found().names()).as("those that the command line offers").isEqualTo(JobRequest.STRATEGIES);
        assertThat(found().named("random")).isInstanceOf(RandomStrategy.class);
        assertThatThrownBy(() -> found().named("luck"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("unknown search strategy 'luck'; known: exhaustive, model, random");
    }
}
