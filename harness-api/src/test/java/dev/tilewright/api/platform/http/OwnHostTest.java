package dev.tilewright.api.platform.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.mock.web.MockHttpServletRequest;

class OwnHostTest {

    private static HttpSettings named(String... hosts) {
        Duration second = Duration.ofSeconds(1);
        return new HttpSettings(List.of(hosts), false, second, second, second, second, null, null);
    }

    private static boolean answers(@Nullable String listening, @Nullable String host, String... names)
            throws Exception {
        MockHttpServletRequest request = new MockHttpServletRequest();
        if (host != null) {
            request.addHeader("Host", host);
        }
        return new OwnHost(listening, named(names)).refusal(request).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, 10.0.0.7,            false",
        "127.0.0.1, '[::ffff:127.0.0.1]', true",
        "127.0.0.1, tilewright.example,  true",
        "127.0.0.1, Tilewright.Example:80, true",
        "127.0.0.1, x.tilewright.example, false",
        "0.0.0.0,   10.0.0.7:8080,       true",
        "0.0.0.0,   '[2001:db8::1]:80',  true",
        "0.0.0.0,   localhost,           true",
        "0.0.0.0,   evil.example,        false",
        "0.0.0.0,   tilewright.example,  true",
        "0.0.0.0,   '',                  false",
        "0.0.0.0,   a:b:c,               false",
        "localhost, localhost:9,         true"
    })
    void namesAreThoseThatWereSetAndAddressesThoseThatLeadHere(String listening, String host, boolean answered)
            throws Exception {
        assertThat(answers(listening, host, "tilewright.example", " other ")).isEqualTo(answered);
    }

    @Test
    void whoeverIsReachedByOthersKnowsTheNameOfItsMachine() throws Exception {
        String own = InetAddress.getLocalHost().getHostName();
        assertThat(answers(null, own + ":8080")).isTrue();
        assertThat(answers("127.0.0.1", null)).as("HTTP/1.0").isTrue();
    }
}
