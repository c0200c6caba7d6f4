package dev.tilewright.api.platform.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tilewright.api.platform.ServiceSettings;
import dev.tilewright.api.platform.http.ProblemWriter;
import dev.tilewright.model.space.Sha256;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.mock.web.MockFilterChain;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import tools.jackson.databind.json.JsonMapper;

class TokenFilterTest {

    private static final KnownTokens KEPT = () -> Map.of(
            Sha256.hex("r"), new Caller("grafana", Role.READER),
            Sha256.hex("s"), new Caller("ci", Role.SUBMITTER),
            Sha256.hex("o"), new Caller("ann", Role.OPERATOR),
            Sha256.hex("w"), new Caller("node-7", Role.WORKER));

    /** A browser is not what these requests come from. */
    private record NoSessions() implements KnownSessions {

        @Override
        public void add(Session session, Instant now, Instant end, int most) {}

        @Override
        public Optional<Found> find(String idHash, Instant now) {
            return Optional.empty();
        }

        @Override
        public void end(String idHash) {}

        @Override
        public String formKey(String drawn) {
            return drawn;
        }
    }

    @TempDir
    Path home;

    private Tokens tokens(@Nullable String worker, @Nullable String user, KnownTokens kept) throws Exception {
        return tokens(worker, user, null, kept);
    }

    private Tokens tokens(@Nullable String worker, @Nullable String user, @Nullable String reader, KnownTokens kept)
            throws Exception {
        return tokens(worker, user, reader, false, kept);
    }

    private Tokens tokens(
            @Nullable String worker, @Nullable String user, @Nullable String reader, boolean login, KnownTokens kept)
            throws Exception {
        return new Tokens(
                new ServiceSettings(
                        home,
                        null,
                        null,
                        null,
                        worker,
                        user,
                        reader,
                        login,
                        Duration.ofSeconds(15),
                        Duration.ofMinutes(15),
                        Duration.ofSeconds(30),
                        false,
                        false),
                new RecentTokens(kept));
    }

    private static MockHttpServletResponse ask(Tokens tokens, String method, String path, @Nullable String token)
            throws Exception {
        MockHttpServletRequest request = new MockHttpServletRequest(method, path);
        request.setServletPath(path);
        if (token != null) {
            request.addHeader("Authorization", "Bearer " + token);
        }
        MockHttpServletResponse response = new MockHttpServletResponse();
        new TokenFilter(
                        tokens,
                        new Sessions(new NoSessions(), tokens, Clock.systemUTC()),
                        new ProblemWriter(JsonMapper.builder().build(), (_, _, problem) -> problem.detail()))
                .doFilter(request, response, new MockFilterChain());
        return response;
    }

    private static int status(Tokens tokens, String path, @Nullable String token) throws Exception {
        return ask(tokens, "GET", path, token).getStatus();
    }

    @ParameterizedTest
    @CsvSource({
        "GET,  /api/v1/jobs,           , 401",
        "GET,  /api/v1/jobs,      wrong, 403",
        "GET,  /api/v1/jobs, the-worker, 403",
        "GET,  /api/v1/jobs,          w, 403",
        "GET,  /api/v1/jobs,          r, 200",
        "GET,  /api/v1/jobs,   the-user, 200",
        "POST, /api/v1/jobs,          r, 403",
        "POST, /api/v1/jobs,          s, 200",
        "POST, /api/v1/jobs,          o, 200",
        "GET,  /api/v1/tokens,        s, 403",
        "GET,  /api/v1/tokens,        o, 200",
        "GET,  /api/v1/tokens, the-user, 200",
        "GET,  /v3/api-docs,           , 401",
        "GET,  /v3/api-docs,          s, 200",
        "GET,  /actuator/metrics,     s, 403",
        "GET,  /v3/api-docs,   the-user, 200",
        "GET,  /actuator/prometheus,   , 401",
        "GET,  /actuator/prometheus,  o, 200",
        "GET,  /actuator/health,       , 200",
        "GET,  /actuator/health,  wrong, 200",
        "POST, /api/v1/leases, the-user, 403",
        "POST, /api/v1/leases,        o, 403",
        "POST, /api/v1/leases,        w, 200",
        "POST, /api/v1/leases, the-worker, 200",
        "POST, /api/v1/reports,        , 401",
        "GET,  /api/v1/checks/ab,     w, 200",
        "GET,  /api/v1/checks/ab, the-worker, 200",
        "GET,  /api/v1/checks/ab,     r, 200",
        "GET,  /api/v1/checks/ab, wrong, 403",
        "GET,  /api/v1/checks/ab,      , 401"
    })
    void whereUsersNeedATokenItsRoleDecides(String method, String path, String token, int status) throws Exception {
        assertThat(ask(tokens("the-worker", "the-user", KEPT), method, path, token)
                        .getStatus())
                .isEqualTo(status);
    }

    @Test
    void aRefusalNamesTheRoleAndWhatIsNeeded() throws Exception {
        Tokens tokens = tokens("the-worker", "the-user", KEPT);
        assertThat(ask(tokens, "POST", "/api/v1/jobs", "r").getContentAsString())
                .contains("the token 'grafana' has the role reader; POST /api/v1/jobs needs submitter or operator");
        assertThat(ask(tokens, "POST", "/api/v1/jobs", "gone").getContentAsString())
                .contains("this token is not known here, or was revoked; needed is the role submitter or operator");
        MockHttpServletResponse without = ask(tokens, "POST", "/api/v1/jobs", null);
        assertThat(without.getContentAsString()).contains("with a token of the role submitter or operator");
        assertThat(without.getHeader("WWW-Authenticate")).isEqualTo("Bearer");
    }

    @Test
    void whereUsersNeedNoneWorkersStillDo() throws Exception {
        Tokens tokens = tokens("the-worker", null, KEPT);
        assertThat(status(tokens, "/api/v1/jobs", null)).isEqualTo(200);
        assertThat(status(tokens, "/api/v1/tokens", "whatever")).isEqualTo(200);
        assertThat(status(tokens, "/actuator/prometheus", null)).isEqualTo(200);
        assertThat(status(tokens, "/api/v1/checks/ab", null)).isEqualTo(200);
        assertThat(status(tokens, "/api/v1/heartbeats", null)).isEqualTo(401);
        assertThat(status(tokens, "/api/v1/heartbeats", "r")).isEqualTo(403);
        assertThat(status(tokens, "/api/v1/heartbeats", "w")).isEqualTo(200);
    }

    /** Such as Prometheus, which is there before anybody can make it a token. */
    @Test
    void aReaderThatTheServiceWasStartedWithReadsAndChangesNothing() throws Exception {
        Tokens tokens = tokens("the-worker", "the-user", "the-reader", () -> {
            throw new DataAccessResourceFailureException("away");
        });
        assertThat(status(tokens, "/actuator/prometheus", "the-reader")).isEqualTo(200);
        assertThat(status(tokens, "/api/v1/jobs", "the-reader")).isEqualTo(200);
        assertThat(ask(tokens, "POST", "/api/v1/jobs", "the-reader").getContentAsString())
                .contains("the token '(reader)' has the role reader");
        assertThat(status(tokens, "/api/v1/heartbeats", "the-reader")).isEqualTo(403);
        assertThatThrownBy(() -> tokens("the-worker", "the-user", "the-user", KEPT))
                .hasMessageContaining("must be another than those of the operator and of workers");
    }

    /** Those that the service was started with need no database. */
    @Test
    void aDatabaseThatIsAwayIsNoWrongToken() throws Exception {
        Tokens tokens = tokens("the-worker", "the-user", () -> {
            throw new DataAccessResourceFailureException("away");
        });
        assertThat(status(tokens, "/api/v1/jobs", "r")).isEqualTo(503);
        assertThat(status(tokens, "/actuator/health", "r")).isEqualTo(200);
        assertThat(status(tokens, "/api/v1/jobs", "the-user")).isEqualTo(200);
        assertThat(status(tokens, "/api/v1/leases", "the-worker")).isEqualTo(200);
    }

    @Test
    void theTokenOfWorkersIsWrittenForItsOwnerAloneAndStays() throws Exception {
        tokens(null, null, KEPT);
        Path file = home.resolve("worker.token");
        String token = Files.readString(file).strip();
        assertThat(token).matches("[0-9a-f]{64}");
        assertThat(Files.getPosixFilePermissions(file)).isEqualTo(PosixFilePermissions.fromString("rw-------"));
        Tokens again = tokens(null, null, KEPT);
        assertThat(Files.readString(file).strip()).isEqualTo(token);
        assertThat(ask(again, "POST", "/api/v1/workers", token).getStatus()).isEqualTo(200);
        assertThat(ask(tokens("given", null, KEPT), "POST", "/api/v1/workers", "given")
                        .getStatus())
                .isEqualTo(200);
        assertThat(Files.readString(file)).isEqualTo("given\n");
    }

    @Test
    void aServiceWithLoginDrawsTheTokenOfItsOperatorOnceUnlessItIsGivenOne() throws Exception {
        Tokens tokens = tokens(null, null, null, true, KEPT);
        Path file = home.resolve("user.token");
        String drawn = Files.readString(file).strip();
        assertThat(drawn).matches("[0-9a-f]{64}");
        assertThat(Files.getPosixFilePermissions(file)).isEqualTo(PosixFilePermissions.fromString("rw-------"));
        assertThat(status(tokens, "/api/v1/jobs", null)).isEqualTo(401);
        assertThat(status(tokens, "/api/v1/tokens", drawn)).isEqualTo(200);
        assertThat(status(tokens(null, null, null, true, KEPT), "/api/v1/tokens", drawn))
                .isEqualTo(200);
        assertThat(status(tokens(null, "the-user", null, true, KEPT), "/api/v1/tokens", drawn))
                .isEqualTo(403);
        // Without login the file is nobody's token, and nobody is asked for one.
        assertThat(tokens(null, null, null, false, KEPT).caller(drawn)).isEmpty();
        assertThat(status(tokens(null, null, null, false, KEPT), "/api/v1/jobs", null))
                .isEqualTo(200);
    }
}
