package dev.tilewright.worker.agent.trial;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class FinalAccountTest {

    @Test
    void oneLineSaysWhereTheTimeWent() {
        Map<String, Long> parts = Map.of(
                "final", 6_340_000_000L, "contend", 9_000_000_000L, "peers", 820_000_000L, "reference", 1_250_000_000L);
        assertThat(new FinalAccount(310_000_000L, 18_700_000_000L, parts).line())
                .isEqualTo(
                        "final took 18.7 s: contenders prepared 0.3 s, test data 1.3 s, peers found 0.8 s, races 9.0 s,"
                                + " final 6.3 s");
        assertThat(new FinalAccount(0, 1_000_000_000L, Map.of()).line())
                .isEqualTo("final took 1.0 s: contenders prepared 0.0 s");
    }
}
