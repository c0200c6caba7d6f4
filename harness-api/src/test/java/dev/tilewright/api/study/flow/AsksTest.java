package dev.tilewright.api.study.flow;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.testing.Api;
import dev.tilewright.api.testing.RunningService;
import dev.tilewright.api.testing.RunningService.Service;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(RunningService.class)
class AsksTest {

    @Test
    void anAnswerSaysWhenItWasAskedForAndHowLongItTook(Api api, Service service) throws Exception {
        Asks asks = service.bean(Asks.class);
        Instant now = service.clock().instant();
        asks.takePermit();
        try {
            Asked.Answered<String> answered = asks.ask(Asks.About.NEXT, "a strategy", () -> {
                service.clock().advance(Duration.ofMillis(40));
                return "tileM=64";
            });
            assertThat(answered.answer()).isEqualTo("tileM=64");
            assertThat(answered.asked()).isEqualTo(new Asked(Asks.About.NEXT, now, now.plusMillis(40)));
        } finally {
            asks.returnPermit();
        }
    }
}
