package dev.tilewright.api.platform.access;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.platform.http.connection.Network;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class LoginBrakeTest {

    private final AtomicLong now = new AtomicLong(-5);
    private final LoginBrake brake = new LoginBrake(now::get);

    private void pass(Duration time) {
        now.addAndGet(time.toNanos());
    }

    private int tries(Network network, int asked) {
        int had = 0;
        for (int each = 0; each < asked; each++) {
            had += brake.take(network).isEmpty() ? 1 : 0;
        }
        return had;
    }

    private static Network host(int number) {
        return Network.of("10.0." + number / 256 + "." + number % 256);
    }

    @Test
    void wrongTokensOfOneAddressAreFiveAndThenOneEachTenSeconds() {
        assertThat(tries(host(1), 1000)).isEqualTo(5);
        assertThat(brake.take(host(1))).contains(Duration.ofSeconds(10));
        pass(Duration.ofSeconds(4));
        assertThat(brake.take(host(1))).contains(Duration.ofSeconds(6));
        pass(Duration.ofSeconds(6));
        assertThat(tries(host(1), 1000)).isEqualTo(1);
        pass(Duration.ofDays(1));
        assertThat(tries(host(1), 1000)).isEqualTo(5);
    }

    @Test
    void aRightTokenCostsNoTry() {
        for (int each = 0; each < 1000; each++) {
            assertThat(brake.take(host(1))).isEmpty();
            brake.giveBack(host(1));
        }
    }

    @Test
    void oneThatGuessesShutsNobodyElseOut() {
        assertThat(tries(host(1), 1000)).isEqualTo(5);
        assertThat(tries(host(2), 1)).isEqualTo(1);
        // A host has a network of 64 bits of IPv6, and all of it is one.
        assertThat(tries(Network.of("2001:db8::1"), 1000)).isEqualTo(5);
        assertThat(tries(Network.of("2001:db8::2"), 1000)).isZero();
        assertThat(tries(Network.of("2001:db8:0:1::2"), 1)).isEqualTo(1);
    }

    @Test
    void manyThatGuessHaveOneTryEachAndStillShutNobodyOut() {
        for (int number = 0; number < 10; number++) {
            assertThat(tries(host(number), 1000)).isEqualTo(5);
        }
        for (int number = 10; number < 20_000; number++) {
            assertThat(tries(host(number), 3)).isEqualTo(1);
        }
        assertThat(brake.take(host(19_999)))
                .hasValueSatisfying(wait -> assertThat(wait).isBetween(Duration.ofNanos(1), Duration.ofSeconds(1)));
        // In all they get one a second.
        pass(Duration.ofSeconds(3));
        assertThat(tries(host(19_999), 1000)).isEqualTo(3);
        assertThat(tries(host(20_000), 1)).isEqualTo(1);
    }
}
