package dev.tilewright.api.platform.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tilewright.api.platform.ServiceSettings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.mock.web.MockFilterChain;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import tools.jackson.databind.json.JsonMapper;

class TokenFilterTest {

    @TempDir
    Path home;

    private Tokens tokens(@Nullable String worker, @Nullable String user) throws Exception {
        return new Tokens(new ServiceSettings(
                home, null, null, worker, user, Duration.ofSeconds(15), Duration.ofSeconds(30), false));
    }

    private static int status(Tokens tokens, String path, @Nullable String token) throws Exception {
        return status(tokens, "GET", path, token);
    }

    private static int status(Tokens tokens, String method, String path, @Nullable String token) throws Exception {
        MockHttpServletRequest request = new MockHttpServletRequest(method, path);
        request.setServletPath(path);
        if (token != null) {
            request.addHeader("Authorization", "Bearer " + token);
        }
        MockHttpServletResponse response = new MockHttpServletResponse();
        new TokenFilter(tokens, new ProblemWriter(JsonMapper.builder().build()))
                .doFilter(request, response, new MockFilterChain());
        return response.getStatus();
    }

    @ParameterizedTest
    @CsvSource({
        "/api/v1/jobs,            , 401",
        "/api/v1/jobs,    wrong   , 403",
        "/api/v1/jobs,    the-worker, 403",
        "/api/v1/jobs,    the-user, 200",
        "/api/v1/leases,  the-user, 403",
        "/api/v1/leases,  the-worker, 200",
        "/api/v1/reports, the-worker, 200",
        "/api/v1/reports, the-user,  403",
        "/api/v1/reports,          , 401",
        "/actuator/health,        , 200",
        "/actuator/prometheus,    , 200"
    })
    void whereUsersNeedATokenEachSideNeedsItsOwn(String path, String token, int status) throws Exception {
        assertThat(status(tokens("the-worker", "the-user"), path, token)).isEqualTo(status);
    }

    @ParameterizedTest
    @CsvSource({"GET, the-user,   200", "GET, the-worker, 200", "GET, wrong,      403", "GET,           , 401"})
    void checksAreReadByBoth(String method, String token, int status) throws Exception {
        assertThat(status(tokens("the-worker", "the-user"), method, "/api/v1/checks/ab", token))
                .isEqualTo(status);
    }

    @Test
    void onTheLoopbackAddressUsersNeedNone() throws Exception {
        Tokens tokens = tokens(null, null);
        assertThat(status(tokens, "/api/v1/jobs", null)).isEqualTo(200);
        assertThat(status(tokens, "/api/v1/checks/ab", null)).isEqualTo(200);
        assertThat(status(tokens, "/api/v1/heartbeats", null)).isEqualTo(401);
    }

    @Test
    void theTokenOfWorkersIsWrittenForItsOwnerAloneAndStays() throws Exception {
        tokens(null, null);
        Path file = home.resolve("worker.token");
        String token = Files.readString(file).strip();
        assertThat(token).matches("[0-9a-f]{64}");
        assertThat(Files.getPosixFilePermissions(file)).isEqualTo(PosixFilePermissions.fromString("rw-------"));
        Tokens again = tokens(null, null);
        assertThat(Files.readString(file).strip()).isEqualTo(token);
        assertThat(status(again, "/api/v1/workers", token)).isEqualTo(200);
        assertThat(status(tokens("given", null), "/api/v1/workers", "given")).isEqualTo(200);
        assertThat(Files.readString(file)).isEqualTo("given\n");
    }
}
