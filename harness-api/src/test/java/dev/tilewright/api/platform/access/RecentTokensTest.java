package dev.tilewright.api.platform.access;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RecentTokensTest {

    private static final Caller CI = new Caller("ci", Role.SUBMITTER);

    private final Map<String, Caller> kept = new HashMap<>();
    private int readings;
    private long now = Long.MAX_VALUE - 5;
    private RecentTokens tokens;

    @BeforeEach
    void begin() {
        tokens = new RecentTokens(
                () -> {
                    readings++;
                    return Map.copyOf(kept);
                },
                () -> now);
    }

    @Test
    void manyRequestsAreOneReadingRightOrWrong() {
        kept.put("a", CI);
        for (int i = 0; i < 100; i++) {
            assertThat(tokens.caller("a")).contains(CI);
            assertThat(tokens.caller("wrong " + i)).isEmpty();
        }
        assertThat(readings).isEqualTo(1);
    }

    @Test
    void whatAnotherReplicaRevokedIsNotTakenForLonger() {
        kept.put("a", CI);
        assertThat(tokens.caller("a")).contains(CI);
        kept.clear();
        now += RecentTokens.LIFE.toNanos() - 1;
        assertThat(tokens.caller("a")).as("up to 2 s").contains(CI);
        now++;
        assertThat(tokens.caller("a")).isEmpty();
    }

    @Test
    void whatWasRevokedHereIsNotTakenAgain() {
        kept.put("a", CI);
        assertThat(tokens.caller("a")).contains(CI);
        kept.clear();
        tokens.forget();
        assertThat(tokens.caller("a")).isEmpty();
    }
}
